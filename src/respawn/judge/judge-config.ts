/** Which judge is asked: a command, or a model behind an address. What somebody wrote is checked once. Pure. */

import { z } from 'zod'
import { LullError } from '../../core/lull-error.ts'
import { formatDuration } from '../../core/text/duration.ts'
import { oneLine } from '../../core/text/printable.ts'
import { isRecord } from '../../core/trace/trace.ts'

export type JudgeLimits = {
  /** ms */
  readonly timeout: number
  /** The answer is not wanted any more: a definitive signal came. */
  readonly signal?: AbortSignal | undefined
}

export const judgeFailed = (message: string): LullError<'JUDGE_FAILED'> =>
  new LullError('JUDGE_FAILED', message)

export const judgeTimedOut = (timeout: number): LullError<'JUDGE_FAILED'> =>
  judgeFailed(`the judge did not answer within ${formatDuration(timeout)}`)

export const judgeCancelled = (): LullError<'JUDGE_FAILED'> =>
  judgeFailed('the judge’s answer is not wanted any more')

/** Node's timers overflow past 2^31 ms and then fire at once. */
export const timerOf = (ms: number): number => Math.min(ms, 2_000_000_000)

const isProgram = (word = ''): boolean => word !== '' && (!word.includes('/') || word.startsWith('/'))
const aList = 'must be a list of words, the program first'

/** The prompt comes in on stdin, the answer out on stdout. */
const commandFields = z.strictObject({
  command: z
    .array(z.string(), aList)
    .min(1, aList)
    .refine(
      ([program]) => isProgram(program),
      'must begin with a name on PATH or a full path: it runs in an empty folder',
    ),
})

const modelFields = z
  .strictObject({
    /** The whole address: `https://…/v1/chat/completions`, `https://…/v1/messages`. */
    url: z
      .string()
      .refine(isAddress, 'must be an address that begins with https:// or http://, without a password'),
    api: z.enum(['openai', 'anthropic'], 'must be openai or anthropic'),
    model: z.string().min(1, 'must name a model'),
    /** The name of the environment variable that holds the key. */
    keyVariable: z
      .string()
      .regex(/^[A-Za-z_]\w*$/, 'must be the name of an environment variable')
      .optional(),
  })
  .refine(({ url, keyVariable }) => keyVariable === undefined || isPrivate(url), {
    path: ['url'],
    message: 'must begin with https:// where a key is sent to another machine',
  })

export type CommandJudge = z.infer<typeof commandFields>
export type ModelJudge = z.infer<typeof modelFields>
export type JudgeConfig = CommandJudge | ModelJudge

/**
 * Checks what somebody wrote.
 * @throws {LullError} USAGE that names the field
 */
export function readJudgeConfig(written: unknown): JudgeConfig {
  if (!isRecord(written) || 'command' in written === 'url' in written)
    throw new LullError('USAGE', 'judge: must have either a command or a url')
  const { success, data, error } = ('command' in written ? commandFields : modelFields).safeParse(written)
  if (success) return data
  const [issue] = error.issues
  const where = ['judge', ...(issue?.path ?? [])].join('.')
  throw new LullError('USAGE', oneLine(`${where}: ${issue?.message}`, 300))
}

function isAddress(text: string): boolean {
  if (!URL.canParse(text)) return false
  const { protocol, username, password } = new URL(text)
  return /^https?:$/.test(protocol) && username === '' && password === ''
}

/** Nobody between reads what is sent there. */
function isPrivate(text: string): boolean {
  if (!URL.canParse(text)) return false
  const { protocol, hostname } = new URL(text)
  return protocol === 'https:' || /^(?:localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(hostname)
}
