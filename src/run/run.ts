/** Runs a command and watches it: reports at any moment whether it computes, waits or is stuck, and why. */
import os from 'node:os'
import { checkValues, is } from '../core/check-values.ts'
import { LullError } from '../core/lull-error.ts'
import { openHandle } from '../core/open-handle.ts'
import { openOutput } from '../os/file/open-output.ts'
import { checkFolder } from '../os/spawn/command-errors.ts'
import { type RunEnd, type RunOptions, runChecks } from './run-options.ts'
import type { RunVerdict } from './step/run-verdict.ts'
import { type OpenedFiles, supervise } from './supervisor.ts'

/** An iteration yields each verdict with a new health or cause, until the command ends. */
export type Run = AsyncIterable<RunVerdict> &
  AsyncDisposable & {
    /** @throws {LullError} NOT_FOUND, NOT_EXECUTABLE by the promise, where it could not be started */
    readonly started: Promise<{ readonly pid: number }>
    /** It has ended, and all that it printed is where it belongs. Rejects as `started` does. */
    readonly ended: Promise<RunEnd>
    /** Judged now; undefined before the first look (0.2 s), after its end, and on systems that can't be looked into. */
    look(): RunVerdict | undefined
    last(): RunVerdict | undefined
    /** To its whole group. */
    kill(signal: NodeJS.Signals): void
    /**
     * Where `await using` ends its scope: a command that still runs gets SIGTERM, with its whole group, and its end is
     * waited for, however long it takes. Nothing harder is sent, and nothing is thrown: `ended` has its exit code or signal.
     */
    [Symbol.asyncDispose](): Promise<void>
  }

/**
 * Runs a command; its output goes where this process's own goes.
 *
 * ```ts
 * await using server = run(['npm', 'start'])
 * for await (const { health, reason } of server) if (health.level !== 'healthy') console.error(reason)
 * ```
 * @param words the program and its arguments: no shell is between
 * @throws {LullError} NO_COMMAND, NO_FOLDER where there are no words, or no such folder; USAGE, REFUSED_FILE where the file
 *   for a recording is there already, or can't be written
 */
export function run(words: readonly string[], options: RunOptions = {}): Run {
  return runWith(words, options, () => {
    const { record } = options
    return record === undefined ? {} : { record: openOutput(record, 'wx', record, 'choose another name') }
  })
}

/** The same for commands, which have words of their own for what is wrong with a file. */
export const runInto = (opened: OpenedFiles, words: readonly string[], options: RunOptions): Run =>
  runWith(words, options, () => opened)

function runWith(words: readonly string[], options: RunOptions, open: () => OpenedFiles): Run {
  checkValues('run', [words, options], runChecks)
  if (words[0] === undefined || words[0] === '')
    throw new LullError('NO_COMMAND', 'run: words must begin with a program')
  if (options.cwd !== undefined) checkFolder(options.cwd)
  const handle = openHandle('this run was closed: its command has ended')
  const { started, ended, changes, look, last, kill, leave } = supervise(words, options, open())
  return {
    started,
    ended,
    look,
    last,
    kill(signal) {
      handle.enter('kill', [signal], { signal: signalName })
      kill(signal)
    },
    [Symbol.asyncIterator]() {
      const verdicts = changes.subscribe()
      return (async function* () {
        yield* verdicts
        await ended
      })()
    },
    async [Symbol.asyncDispose]() {
      handle.close()
      leave()
      await ended.catch(() => undefined)
    },
  }
}

const signalName = is.must('the name of a signal, like SIGTERM', value =>
  Object.hasOwn(os.constants.signals, String(value)),
)
