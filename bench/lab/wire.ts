/** What every wire protocol of a model provider offers to the scripted model: one shape, so that a new one is one file. */
import type { Turn } from './directive.ts'

/** `namespace`: Codex has the tools of each MCP server below one. */
export type Tool = {
  readonly name: string
  readonly fields: readonly string[]
  readonly namespace?: string
}

export type ToolCall = Pick<Tool, 'name' | 'namespace'> & {
  readonly input: Readonly<Record<string, unknown>>
}

/** What the model answers, before a protocol puts it into its words. */
export type Reply = {
  readonly model: string
  readonly text: string
  readonly call: ToolCall | undefined
  /** How long the text takes, ms. */
  readonly over: number
  /** The message breaks off after its text and never ends. */
  readonly stalls: boolean
}

/** A piece of a stream: bytes, a pause in ms, or the silence that only the client ends. */
export type Frame = string | { readonly pause: number } | 'stall'

export type Wire = {
  readonly name: 'anthropic' | 'responses' | 'chat' | 'gemini' | 'augment'
  /** The request's history and tools. Tolerates any body. */
  read(body: Readonly<Record<string, unknown>>): { turns: readonly Turn[]; tools: readonly Tool[] }
  frames(reply: Reply): Generator<Frame>
  whole(reply: Reply): object
  error(status: number): object
}

const errorTypes: Readonly<Record<number, string>> = {
  400: 'invalid_request_error',
  401: 'authentication_error',
  429: 'rate_limit_error',
  529: 'overloaded_error',
}

export const errorType = (status: number): string => errorTypes[status] ?? 'api_error'

/** The same for every answer: enough for a status line, far from any limit. */
export const usage = { input: 1200, output: 40 } as const

export const stallWords = 'I begin to answer and then'

/** The text in pieces: a word at a time where it is to take long, otherwise in few. */
export function* pieces(text: string, over: number): Generator<{ text: string } | { pause: number }> {
  const parts = over > 0 ? text.split(/(?<= )/) : (text.match(/[\s\S]{1,40}/g) ?? [])
  for (const part of parts) {
    yield { text: part }
    if (over > 0) yield { pause: over / parts.length }
  }
}

let count = 0
export const newId = (prefix: string): string => `${prefix}_lab${(++count).toString(36).padStart(6, '0')}`

export const object = (value: unknown): Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null ? (value as Readonly<Record<string, unknown>>) : {}

export const array = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [])

export const string = (value: unknown): string => (typeof value === 'string' ? value : '')
