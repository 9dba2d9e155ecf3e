/** Colours of a terminal as CSS. Pure. */
import type { DrawnRun } from '../types.ts'

/** xterm's sixteen, a little softer; they stand on the page's own dark ground. */
const sixteen = [
  ...['#23262b', '#e06c60', '#7fbf6a', '#d9b65c', '#6ba4e0', '#c58ad0', '#5fbcc0', '#d4d7dc'],
  ...['#6b7280', '#f28b80', '#a2d88e', '#f0d27e', '#92c0f0', '#dbaee4', '#8ad8da', '#ffffff'],
]
const levels = [0, 95, 135, 175, 215, 255]

export function cssColour(colour: number | string): string {
  if (typeof colour === 'string') return colour
  if (colour < 16) return sixteen[colour] ?? '#d4d7dc'
  if (colour >= 232) {
    const grey = 8 + 10 * (colour - 232)
    return `rgb(${grey} ${grey} ${grey})`
  }
  const n = colour - 16
  return `rgb(${levels[Math.floor(n / 36)]} ${levels[Math.floor(n / 6) % 6]} ${levels[n % 6]})`
}

/** Of a run, as properties: no text of an agent becomes a style. */
export function colourOf({ front, back, reversed }: DrawnRun): Readonly<Record<string, string>> {
  const [letters, ground] = reversed ? [back ?? 0, front ?? 7] : [front, back]
  return {
    ...(letters === undefined ? {} : { color: cssColour(letters) }),
    ...(ground === undefined ? {} : { backgroundColor: cssColour(ground) }),
  }
}
