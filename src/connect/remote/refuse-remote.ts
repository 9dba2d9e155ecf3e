/** What can't be done over HTTP: a sentence says what, why and what to do instead. Pure. */
import { LullError } from '../../core/lull-error.ts'

const onMachine = 'run it in a program on that machine'

const instead = {
  run: `the command would run on the machine of the host; ${onMachine}`,
  loop: `the loop would run on the machine of the host; ${onMachine}`,
  respawn: `a respawn types from a process on the machine of the host; ${onMachine}`,
  diagnose: `it reads the processes of its own machine; ${onMachine}`,
  observe: 'it reads the kernel’s facts of a terminal; use read(), or lull.find() for an agent',
  settle: 'it observes the terminal again and again; use send() with wait, or lull.waitFor()',
  waitReady: 'it observes the terminal again and again; use send() with wait, or lull.waitFor()',
} as const

type RefusedCall = keyof typeof instead

/** @throws {LullError} USAGE */
export function refuseCall(call: RefusedCall): never {
  throw new LullError('USAGE', `${call}: not over HTTP: ${instead[call]}`)
}

/**
 * @param why what the API has no word for, by the name of the option
 * @throws {LullError} USAGE where one of these options is given
 */
export function refuseOptions(call: string, given: object, why: Readonly<Record<string, string>>): void {
  for (const [name, value] of Object.entries(given))
    if (value !== undefined && value !== false && Object.hasOwn(why, name))
      throw new LullError('USAGE', `${call}: ${name} is not possible from another machine: ${why[name]}`)
}

/**
 * A relative path would mean another folder there.
 * @throws {LullError} BAD_ADDRESS
 */
export function checkRemoteAddress(address: string): string {
  const isFolder = address.includes('/') || address === '.' || address === '..'
  if (/^(?:\/|~\/|tmux:|pid:)/.test(address) || !isFolder) return address
  throw new LullError(
    'BAD_ADDRESS',
    'a relative folder means nothing on another machine: give the whole path there, like /home/me/api',
    { address },
  )
}
