/** The command in an agent's settings, and how lull recognises its own. */
import { quotedWord } from '../os/spawn/shell-words.ts'

/** What ends every command of ours: a comment to the shell, a name to us. */
const mark = '# lull'

/** A host that holds a hook is never silent for so long: s. Its beats are `heldBeat` of held-hook.ts. */
export const heldSilence = 5

/** What a file of our own begins with, behind its comment sign. */
export const fileMark = 'lull: written by `lull hooks install`'

/**
 * The command for an agent's hooks. It ends with 0 and prints nothing also where the forwarder is gone: an exit code of
 * 2 at a turn's end would wake some agents again. `$PPID` is the process that runs the hook; the forwarder itself sees the shell.
 * @param event where the payload does not name it
 */
export const hookCommand = (forwarder: string, agent: string, event?: string): string =>
  `${guarded(forwarder, agent, event)} ${mark}`

const guarded = (forwarder: string, agent: string, event?: string): string => {
  const words = [quotedWord(forwarder), agent, ...(event === undefined ? [] : [event])]
  return `test -x ${words[0]} && LULL_PID=$PPID ${words.join(' ')} || true`
}

/** A program that an agent runs for one event. */
export const hookProgram = (forwarder: string, agent: string, event: string): string =>
  `#!/bin/sh\n# ${fileMark}\n${guarded(forwarder, agent, event)}\n`

/** Commands of ours, also of other versions and other places. */
export const isOurCommand = (command: unknown): command is string =>
  typeof command === 'string' && command.startsWith("test -x '") && command.endsWith(` ${mark}`)

/** Files of ours, also of other versions. */
export const isOurFile = (text: string): boolean => text.slice(0, 200).includes(` ${fileMark}`)
