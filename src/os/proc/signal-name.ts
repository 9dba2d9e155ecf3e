/** Signals by the names that people know. */
import os from 'node:os'

/** `SIGKILL` for `9`, as the kernel has it, and for `KILL`, as tmux may say; what is none of these stays as it is. */
export function signalName(text: string): string {
  const known = Object.entries(os.constants.signals).find(
    ([name, number]) => String(number) === text || name === text || name === `SIG${text}`,
  )
  return known?.[0] ?? text
}
