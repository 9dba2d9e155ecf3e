/** What a step's condition, and its text, come to now: files are read and commands of the plan run. */
import { existsSync } from 'node:fs'
import path from 'node:path'
import type { Facts } from '../core/evidence/signal.ts'
import { LullError } from '../core/lull-error.ts'
import { oneLine } from '../core/text/printable.ts'
import { searchMarker } from '../loop/marker/marker.ts'
import { readPlainText } from '../os/file/plain-file.ts'
import { keepEnd, keepEnds } from '../os/spawn/bounded-text.ts'
import { captureGroup, type GroupEnd } from '../os/spawn/captured-group.ts'
import { type Condition, hasKeys, type StepAct } from './plan/plan.ts'

type Around = {
  readonly facts: Facts
  /** Paths are below the plan's folder; commands run in the agent's. */
  readonly folder: string
  readonly cwd: string
  readonly signal: AbortSignal
}

/** @returns undefined where it is unknown: an unknown condition does not hold */
export async function holds(condition: Condition, around: Around): Promise<boolean | undefined> {
  const { facts, folder } = around
  switch (condition.kind) {
    case 'context': {
      if (facts.context === undefined) return undefined
      return condition.is === 'below' ? facts.context < condition.share : facts.context > condition.share
    }
    case 'exists':
      return existsSync(path.resolve(folder, condition.path))
    case 'passes':
      return (await shell(condition.command, around)).code === 0
    case 'marker':
      return searchMarker(facts.finalMessage ?? '').marker?.name === condition.name
  }
}

/** What is typed. @throws {LullError} where a file can't be read, a command fails, or there is nothing */
export async function textOf(act: Exclude<StepAct, { do: 'keys' }>, around: Around): Promise<string> {
  if (act.do === 'prompt' || act.do === 'command') return act.text
  const [text, what] =
    act.do === 'file'
      ? [readPlainText(path.resolve(around.folder, act.path)), act.path]
      : [await printedBy(act.command, around), act.command]
  const trimmed = text.replaceAll('\r\n', '\n').trim()
  if (trimmed === '') throw new LullError('BAD_PLAN', `${what} holds nothing to send`)
  if (hasKeys(trimmed)) throw new LullError('BAD_PLAN', `${what} holds control characters: nothing was sent`)
  if (text.length > longestPrompt)
    throw new LullError('BAD_PLAN', `${what} holds more than ${longestPrompt} characters: nothing was sent`)
  return trimmed
}

async function printedBy(command: string, around: Around): Promise<string> {
  const { code, stdout, stderr } = await shell(command, around)
  if (code === 0) return stdout
  const reason = oneLine(stderr.trim().split('\n').at(-1) ?? '', longestReason)
  const how = `ended with ${code ?? 'no exit code'}`
  throw new LullError('BAD_PLAN', `${command} ${how}${reason && ` (${reason})`}: nothing was sent`)
}

/** ms; then it and all that it started are ended. */
const longest = 60_000
const graceMs = 3000
/** Characters: more than a person would type. A part of a prompt is another prompt. */
const longestPrompt = 100_000
/** Only the last line of its stderr is shown. */
const mostErrors = 1000
const longestReason = 200

function shell(
  command: string,
  { cwd, signal }: Around,
): Promise<GroupEnd & Readonly<Record<'stdout' | 'stderr', string>>> {
  return new Promise(resolve => {
    // A shortened text names what it leaves out, and is too long then.
    const stdout = keepEnds(2 * longestPrompt)
    const stderr = keepEnd(mostErrors)
    const timers: NodeJS.Timeout[] = []
    const end = () => {
      group.end('soft')
      timers.push(setTimeout(() => group.end('hard'), graceMs))
    }
    const group = captureGroup({
      words: ['sh', '-c', command],
      cwd,
      env: process.env,
      stdout: stdout.take,
      stderr: stderr.take,
      ended(ended) {
        for (const timer of timers) clearTimeout(timer)
        signal.removeEventListener('abort', end)
        resolve({ ...ended, stdout: stdout.text(), stderr: stderr.text() })
      },
    })
    timers.push(setTimeout(end, longest))
    signal.addEventListener('abort', end, { once: true })
    if (signal.aborted) end()
  })
}
