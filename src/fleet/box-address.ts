/** `SESSION@BOX`: a session on another machine, by the name that ssh knows that machine by. Pure. */
import { LullError } from '../core/lull-error.ts'
import { oneLine } from '../core/text/printable.ts'

/** ssh puts the name into commands of its configuration (`ProxyCommand … %h`), which a shell reads. */
const boxName = /^[A-Za-z0-9_][A-Za-z0-9_.-]{0,99}$/

export const isBoxName = (name: string): boolean => boxName.test(name)

/**
 * @param where what named it: `--on`, or a place in a file
 * @throws {LullError} USAGE where it could be an option of ssh, or mean something to a shell
 */
export function checkBoxName(name: string, where: string): string {
  if (isBoxName(name)) return name
  throw new LullError(
    'USAGE',
    `${where}: "${oneLine(name, 100)}" is no name of a box: use letters, digits, and . _ - after the first; a user or port goes into ~/.ssh/config`,
  )
}

export type BoxAddress = {
  /** As its own machine reads it. */
  readonly session: string
  /** Undefined where the address names none. */
  readonly box?: string
}

/** The box is what follows the last `@`. */
export function readBoxAddress(address: string): BoxAddress {
  const at = address.lastIndexOf('@')
  const box = address.slice(at + 1)
  const session = address.slice(0, at)
  // In a URL a dot is a step of its path.
  return at > 0 && isBoxName(box) && !/^\.\.?$/.test(session) ? { session, box } : { session: address }
}

export const addressOn = (session: string, box: string): string => `${session}@${box}`

/**
 * The boxes that a command asks.
 * @param on the value of `--on`: names between commas
 * @throws {LullError} USAGE where one address names a box and another one does not
 */
export function boxesNamed(on: string | undefined, addresses: readonly string[]): readonly string[] {
  if (on !== undefined) return on.split(',').flatMap(name => name.trim() || [])
  return addresses.map(address => {
    const { box } = readBoxAddress(address)
    if (box !== undefined) return box
    throw new LullError(
      'USAGE',
      `"${oneLine(address, 100)}" names no box, and another address does: write it as ${oneLine(address, 100)}@BOX`,
    )
  })
}
