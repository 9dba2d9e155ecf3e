/** The command line without a process of its own: for what is judged, written or refused, and starts nothing. */
import { createRequire, registerHooks } from 'node:module'
import { bin, type Run } from './lull.ts'

/** By the end of their files, what would take hold of this process as a whole. */
const instead: Readonly<Record<string, string>> = {
  // A timeout counts from the start of a process, and ends it. Here it counts from the call, and ends the call alone.
  '/src/connect/time-limit.ts': `
export const limitTo = () => undefined
export const leftOf = timeout => (timeout === undefined ? {} : { timeout })
export const limitClosing = () => undefined
`,
  // What is open here is the test's: `lull run` would hand its sockets over to the command, and close them.
  '/src/os/spawn/inherited-files.ts': `
export const inheritedFiles = () => []
export const handingOver = (fds, start) => start()
export const keepFromPrograms = () => undefined
`,
  // What it starts in the background starts as `lull` would: that of the built package, where there is one.
  '/src/os/spawn/own-program.ts': `export const ownProgram = ${JSON.stringify(bin)}
`,
}

/** As Node itself loads it, from its cache of compiled code: Vitest takes ten times as long. */
const loadMain = () => {
  registerHooks({
    load(url, context, next) {
      const file = Object.keys(instead).find(end => url.endsWith(end))
      if (file === undefined) return next(url, context)
      return { format: 'module', source: instead[file] ?? '', shortCircuit: true }
    },
  })
  return createRequire(import.meta.url)('../../src/cli/main.ts') as typeof import('../../src/cli/main.ts')
}

let loaded: ReturnType<typeof loadMain> | undefined
let last: Promise<unknown> = Promise.resolve()

/** As `lull` does, one after the other: each has this process's streams and environment while it runs. */
export function lullHere(
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
  cwd?: string,
): Promise<Run> {
  const run = last.then(() => call(args, env, cwd))
  last = run.catch(() => undefined)
  return run
}

/** Rows of `lull ps --json`. */
export async function rowsHere(
  env: Readonly<Record<string, string>>,
): Promise<readonly Record<string, unknown>[]> {
  const { stdout } = await lullHere(['ps', '--json'], env)
  return (JSON.parse(stdout) as { sessions: Record<string, unknown>[] }).sessions
}

async function call(
  args: readonly string[],
  env: Readonly<Record<string, string>>,
  cwd: string | undefined,
): Promise<Run> {
  const printed = { stdout: '', stderr: '' }
  const before = {
    env: { ...process.env },
    argv: process.argv,
    exitCode: process.exitCode,
    signals: process.listeners('SIGXFSZ'),
  }
  const undo = (['stdout', 'stderr'] as const).map(name => {
    const stream = process[name]
    const [write, listeners] = [stream.write, stream.listeners('error')]
    stream.write = (piece: string | Uint8Array, ...rest: unknown[]) => {
      printed[name] += typeof piece === 'string' ? piece : Buffer.from(piece).toString()
      const done = rest.at(-1)
      if (typeof done === 'function') process.nextTick(done as () => void)
      return true
    }
    return () => {
      stream.write = write
      for (const one of stream.listeners('error'))
        if (!listeners.includes(one)) stream.removeListener('error', one as () => void)
    }
  })
  const folder = process.cwd()
  if (cwd) process.chdir(cwd)
  Object.assign(process.env, env)
  process.exitCode = undefined
  // As a refusal names the command.
  process.argv = [process.execPath, 'lull', ...args]
  try {
    loaded ??= loadMain()
    await loaded.main(process.argv)
    return { code: Number(process.exitCode ?? 0), ...printed }
  } finally {
    for (const one of undo) one()
    if (cwd) process.chdir(folder)
    for (const one of process.listeners('SIGXFSZ'))
      if (!before.signals.includes(one)) process.removeListener('SIGXFSZ', one)
    for (const name of Object.keys(env)) delete process.env[name]
    Object.assign(process.env, before.env)
    process.exitCode = before.exitCode
    process.argv = before.argv
  }
}
