/** Children that lull started to ask something: a supervisor that adopts orphans must not take them for its command's. */
export const ownChildren = new Set<number>()
