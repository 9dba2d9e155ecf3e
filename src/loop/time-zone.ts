/** The zone of this machine's clock. */

/** ms by which it is ahead of UTC at an instant, ms since the epoch. */
export const zoneAt = (wall: number): number => -60_000 * new Date(wall).getTimezoneOffset()
