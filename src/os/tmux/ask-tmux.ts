/**
 * What lull asks of a tmux server: each question comes from a short client, which attaches to no session. A client that
 * attaches, even a read-only one, gives the session the focus: where a program asked for focus reports (`?1004h`), tmux
 * types `ESC [ I` into the pane, and `ESC [ O` when the client leaves. Seen with 3.3a whether `focus-events` is on or off.
 */
import { LullError } from '../../core/lull-error.ts'
import { allOf, tmuxLine } from './control-words.ts'
import { type TmuxAnswer, tmuxCommand } from './tmux-command.ts'

/**
 * Resolves with what tmux prints.
 * @throws {LullError} REFUSED, ENDED, FOREIGN_SERVER; NO_ANSWER after 2 s, whatever tmux still does
 */
export async function askTmux(socket: string, ...args: readonly string[]): Promise<string> {
  return printed(await tmuxCommand(socket, args))
}

/**
 * The same within `patience` ms.
 * @throws {LullError} as `askTmux`
 */
export async function askTmuxWithin(
  patience: number,
  socket: string,
  args: readonly string[],
): Promise<string> {
  return printed(await tmuxCommand(socket, args, { timeout: Math.min(patience, longestMs) }))
}

const longestMs = 2000

function printed(answer: TmuxAnswer): string {
  if (answer.isAnswered) return answer.printed
  const { because, complaint } = answer
  throw new LullError(codes[because], complaint)
}

const codes = {
  missing: 'ENDED',
  foreign: 'FOREIGN_SERVER',
  unreachable: 'ENDED',
  lost: 'ENDED',
  silent: 'NO_ANSWER',
  refused: 'REFUSED',
  exhausted: 'REFUSED_FILE',
} as const

/** Types raw bytes into a pane. */
export async function sendBytes(socket: string, pane: string, bytes: string): Promise<void> {
  const hex = [...Buffer.from(bytes, 'latin1')].map(byte => byte.toString(16).padStart(2, '0'))
  await askTmux(socket, 'send-keys', '-t', pane, '-H', ...hex)
}

const otherwise = 'otherwise'

/**
 * ms. A stopped server still has the command in its socket and runs it when it continues, whatever the pane shows by then. So a
 * command expires, by the server's clock, this long after its caller has given up.
 */
const graceMs = 1000

const isInTime = (): string => `#{e|<:#{T:#{l:%s}},${Math.ceil((Date.now() + longestMs + graceMs) / 1000)}}`

/**
 * Has tmux do something to a pane, if formats are true of it at that very moment, and that is soon.
 * @returns whether they were true
 * @throws {LullError} as `askTmux`
 */
export async function actIf(
  socket: string,
  pane: string,
  wanted: readonly string[],
  ...words: readonly string[]
): Promise<boolean> {
  return isDone(printed(await tmuxCommand(socket, ifTrue(pane, wanted, words))))
}

/**
 * The same with bytes in a paste buffer, which is put there before, and is gone afterwards: also where nobody waits any more.
 * @throws {LullError} as `askTmux`
 */
export async function pasteIf(
  socket: string,
  pane: string,
  wanted: readonly string[],
  { buffer, bytes, isPaste }: { readonly buffer: string; readonly bytes: Buffer; readonly isPaste: boolean },
): Promise<boolean> {
  const paste = ['paste-buffer', '-d', ...(isPaste ? ['-p'] : []), '-b', buffer, '-t', pane]
  const args = [
    'load-buffer',
    '-b',
    buffer,
    '-',
    ';',
    ...ifTrue(pane, wanted, paste, [['delete-buffer', '-b', buffer]]),
  ]
  return isDone(printed(await tmuxCommand(socket, args, { input: bytes })))
}

type Words = readonly string[]

/** @param instead commands for where they are not true, after saying so */
function ifTrue(pane: string, wanted: Words, words: Words, instead: readonly Words[] = []): Words {
  // Of a pane that is not there, tmux would take another one's facts.
  const condition = allOf([`#{==:#{pane_id},${pane}}`, isInTime(), ...wanted])
  return [
    'if-shell',
    '-F',
    '-t',
    pane,
    condition,
    tmuxLine(words),
    [['display-message', '-p', otherwise], ...instead].map(tmuxLine).join(' ; '),
  ]
}

const isDone = (printed: string): boolean => !printed.split('\n').includes(otherwise)
