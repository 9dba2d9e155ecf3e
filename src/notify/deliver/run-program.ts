/** A program that is started for a message: without a shell, with an end, and little of what it prints. */
import { oneLine } from '../../core/text/printable.ts'
import { reasonOf } from '../../loop/ralph/prompt-commands.ts'
import { probeVariable } from '../../os/proc/command-line.ts'
import { keepEnd } from '../../os/spawn/bounded-text.ts'
import { captureGroup } from '../../os/spawn/captured-group.ts'
import { patienceMs } from './delivery.ts'

export type ProgramEnd = { readonly stdout: string } | { readonly why: string; readonly stderr: string }

type How = {
  readonly env: NodeJS.ProcessEnv
  readonly stdin?: string
  readonly signal?: AbortSignal | undefined
}

/** Of what it prints. */
const mostOutput = 1000

export function runProgram(words: readonly string[], { env, stdin, signal }: How): Promise<ProgramEnd> {
  return new Promise(resolve => {
    const [stdout, stderr] = [keepEnd(mostOutput), keepEnd(mostOutput)]
    let isLate = false
    const end = (): void => {
      isLate = true
      group.end('hard')
    }
    const group = captureGroup({
      words,
      cwd: '/',
      // An agent that it starts is nobody's session.
      env: { ...env, [probeVariable]: '1' },
      ...(stdin === undefined ? {} : { stdin }),
      stdout: stdout.take,
      stderr: stderr.take,
      ended({ code, signal: by, notStarted }) {
        clearTimeout(timer)
        signal?.removeEventListener('abort', end)
        if (code === 0 && !isLate) return resolve({ stdout: stdout.text() })
        const name = oneLine(words[0] ?? '', 100)
        const said = oneLine(stderr.text().trim().split('\n').at(-1) ?? '', 200)
        const why = notStarted
          ? `${name}: ${oneLine(reasonOf(notStarted), 200)}`
          : isLate
            ? `${name} did not end within ${patienceMs / 1000} s`
            : `${name} ended by ${by ?? `exit code ${code}`}${said && `: ${said}`}`
        resolve({ why, stderr: stderr.text() })
      },
    })
    const timer = setTimeout(end, patienceMs)
    signal?.addEventListener('abort', end)
  })
}
