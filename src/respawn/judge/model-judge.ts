/** A judge that is a model behind an address, asked as OpenAI's chat completions or Anthropic's messages are. */
import { z } from 'zod'
import { isLullError } from '../../core/lull-error.ts'
import { redact } from '../../core/redact/redact.ts'
import { oneLine } from '../../core/text/printable.ts'
import { parseJson } from '../../core/trace/trace.ts'
import { causeOf, postJson } from '../../os/post-json.ts'
import type { ModelJudge } from './judge-config.ts'
import { type JudgeLimits, judgeCancelled, judgeFailed, judgeTimedOut, timerOf } from './judge-config.ts'

/** Bytes. The longest answer takes 384 KB where each character is escaped; the rest is what a model may think before. */
const longestBody = 1024 * 1024
/** A verdict is a line of about 60 tokens; Anthropic wants a limit to be named. */
const mostTokens = 1024

const answers = {
  openai: z
    .object({ choices: z.tuple([z.object({ message: z.object({ content: z.string() }) })], z.unknown()) })
    .transform(({ choices }) => choices[0].message.content),
  anthropic: z
    .object({ content: z.array(z.object({ type: z.string(), text: z.string().optional() })) })
    .transform(({ content }) => content.map(({ text }) => text ?? '').join('')),
} as const

/** How both tell what was wrong; a server in between may tell it in a text alone. */
const refusal = z
  .object({ error: z.union([z.string(), z.object({ message: z.string() })]) })
  .transform(({ error }) => (typeof error === 'string' ? error : error.message))

/** @throws {LullError} JUDGE_FAILED; no sentence holds the key */
export async function askModel(
  config: ModelJudge,
  prompt: string,
  { timeout, signal }: JudgeLimits,
): Promise<string> {
  const key = keyOf(config)
  const isLate = AbortSignal.timeout(timerOf(timeout))
  try {
    const response = await postJson(config.url, bodyOf(config, prompt), {
      // The key goes to the address that was named, and nowhere else.
      redirect: 'error',
      headers: keyHeaders(config, key),
      signal: signal ? AbortSignal.any([signal, isLate]) : isLate,
    })
    const body = await boundedText(response)
    if (!response.ok)
      throw judgeFailed(`the judge’s server answered ${response.status}${reasonIn(body, key)}`)
    return contentOf(config, body, key)
  } catch (error) {
    if (isLullError(error)) throw error
    if (signal?.aborted) throw judgeCancelled()
    if (isLate.aborted) throw judgeTimedOut(timeout)
    throw judgeFailed(`the judge’s server at ${new URL(config.url).host} can’t be asked: ${causeOf(error)}`)
  }
}

function keyOf({ keyVariable }: ModelJudge): string | undefined {
  if (keyVariable === undefined) return undefined
  const key = process.env[keyVariable]?.trim()
  if (!key) throw judgeFailed(`the judge’s key is missing: set the environment variable ${keyVariable}`)
  // An error of fetch would show it.
  if (!/^[!-~]+$/.test(key)) throw judgeFailed(`what the environment variable ${keyVariable} holds is no key`)
  return key
}

function keyHeaders({ api }: ModelJudge, key: string | undefined): Record<string, string> {
  switch (api) {
    case 'openai':
      return key === undefined ? {} : { authorization: `Bearer ${key}` }
    case 'anthropic':
      return { 'anthropic-version': '2023-06-01', ...(key === undefined ? {} : { 'x-api-key': key }) }
  }
}

function bodyOf({ api, model }: ModelJudge, prompt: string): object {
  const asked = { model, messages: [{ role: 'user', content: prompt }] }
  return api === 'openai' ? asked : { ...asked, max_tokens: mostTokens }
}

/** Leaving the loop ends the connection. */
async function boundedText({ body }: Response): Promise<string> {
  const decoder = new TextDecoder()
  let text = ''
  let bytes = 0
  for await (const chunk of body ?? []) {
    bytes += chunk.length
    if (bytes > longestBody)
      throw judgeFailed(`the judge’s server answered with more than ${longestBody} bytes`)
    text += decoder.decode(chunk, { stream: true })
  }
  return text + decoder.decode()
}

function contentOf({ api }: ModelJudge, body: string, key: string | undefined): string {
  const parsed = answers[api].safeParse(parseJson(body))
  if (!parsed.success)
    throw judgeFailed(`the judge’s server did not answer in the form of ${names[api]}: ${shown(body, key)}`)
  return parsed.data
}

const names = { openai: 'OpenAI’s chat completions', anthropic: 'Anthropic’s messages' } as const

/** The server's own reason, as the end of a sentence. */
function reasonIn(body: string, key: string | undefined): string {
  const { success, data } = refusal.safeParse(parseJson(body))
  return success ? `: ${shown(data, key)}` : ''
}

/** Some servers repeat the key that they refuse. */
function shown(text: string, key: string | undefined): string {
  const without = key === undefined ? text : text.replaceAll(key, '[redacted]')
  return oneLine(redact(without.slice(0, 2000)), 200)
}
