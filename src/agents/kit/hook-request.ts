/**
 * What an agent asks through a hook that may be answered there: shown whole, as the agent gave it, and with what it takes as the
 * answer. Pure. docs/answer.md
 */
import type { WaitingFor } from '../../core/state.ts'
import { plainly } from '../../core/text/plain-line.ts'
import { isRecord } from '../../core/trace/trace.ts'

/** What arrives of a session once its request was answered: a hook, or a line of its transcript. */
export type LaterInput =
  | { readonly type: 'hook'; readonly event: string; readonly payload: unknown }
  | { readonly type: 'line'; readonly line: string }

/**
 * Which option a later input shows to have been taken: its place; -1 for an answer that is none of the options; undefined where
 * the input shows nothing of it.
 */
export type TakenBy = (later: LaterInput) => number | undefined

export type RequestOption = {
  readonly label: string
  /** Of a permission: what chooses it. On the screen, more options may have numbers of their own. */
  readonly word?: 'yes' | 'no'
  /** Of a question: its number, which is the same on the screen. */
  readonly number?: number
}

export type HookRequest = {
  readonly for: WaitingFor
  readonly tool: string
  /** As the agent gave it. */
  readonly input: Readonly<Record<string, unknown>>
  /** What it is about, whole: the command, the file, the question; else all of its rows. */
  readonly about: string
  /** All of it as text, in which nothing is hidden. */
  readonly rows: readonly string[]
  readonly options: readonly RequestOption[]
  /** What the agent is told for each option: JSON in one line. */
  readonly replies: readonly string[]
  /** How the request ended: two may answer at one time, and the agent obeys one. */
  readonly takenBy: TakenBy
}

/** A person reads it all before the answer, and lull shows it at each look. */
const mostCharacters = 100_000
const mostRows = 2000
const mostFields = 500

/**
 * Why a hook is not held: it asks more than is shown there. The agent's screen takes the answer.
 * @param length of the payload as the agent wrote it
 * @returns undefined where it may be held
 */
export function tooLargeToHold(payload: unknown, length: number): string | undefined {
  if (length > mostCharacters) return `more than ${mostCharacters} characters`
  const { fields, rows } = sizeOf(payload)
  if (fields > mostFields) return `more than ${mostFields} fields`
  return rows > mostRows ? `more than ${mostRows} rows` : undefined
}

/** Parsed JSON is not deeper than `parseJson` lets it be. */
function sizeOf(value: unknown): { readonly fields: number; readonly rows: number } {
  if (typeof value === 'string') return { fields: 0, rows: value.split('\n').length }
  if (typeof value !== 'object' || value === null) return { fields: 0, rows: 1 }
  let [fields, rows] = [0, 0]
  for (const inner of Object.values(value)) {
    const size = sizeOf(inner)
    fields += size.fields + 1
    rows += size.rows
  }
  return { fields, rows }
}

/** A text of several lines stands deeper than the names of fields: none of its lines looks like another field. */
function rowsOfField([name, value]: readonly [string, unknown]): readonly string[] {
  const text = typeof value === 'string' ? value : JSON.stringify(value)
  const lines = text.split(/\r?\n/).map(plainly)
  return lines.length === 1
    ? [`  ${plainly(name)}: ${lines[0]}`]
    : [`  ${plainly(name)}:`, ...lines.map(line => `    ${line}`)]
}

/** @param input fields that are undefined are left out */
const requestRows = (tool: string, input: Readonly<Record<string, unknown>>): readonly string[] => [
  plainly(tool),
  ...Object.entries(input)
    .filter(([, value]) => value !== undefined)
    .flatMap(rowsOfField),
]

/** A permission: yes or no. What grants for longer is on the screen alone, in the agent's own words. */
export function permissionRequest(
  { tool, input }: Pick<HookRequest, 'tool' | 'input'>,
  /** The fields of the input that say what it is about, the first that is there. */
  about: readonly string[],
  { yes, no }: Readonly<Record<'yes' | 'no', { readonly label: string; readonly reply: object }>>,
  /** Whether a later input shows a yes, a no, or an end that is none of them. */
  wordBy: (later: LaterInput) => RequestOption['word'] | 'neither',
): HookRequest {
  const rows = requestRows(tool, input)
  const named = about.map(field => input[field]).find(value => typeof value === 'string')
  return {
    for: 'permission',
    ...{ tool, input, rows, about: named ?? rows.join('\n') },
    options: [
      { label: yes.label, word: 'yes' },
      { label: no.label, word: 'no' },
    ],
    replies: [yes, no].map(({ reply }) => JSON.stringify(reply)),
    takenBy(later) {
      const word = wordBy(later)
      return word && ['yes', 'no'].indexOf(word)
    },
  }
}

/**
 * One question of a list, with one answer. Of several questions, or several answers, the screen alone takes the answer.
 * @param reply what the agent is told for a label
 */
export function questionRequest(
  tool: string,
  input: Readonly<Record<string, unknown>>,
  reply: (question: string, label: string) => object,
  /** The text that a later input shows as the answer; empty for none; undefined where it shows nothing of it. */
  answerBy: (later: LaterInput, question: string) => string | undefined,
): HookRequest | undefined {
  const [one, ...others] = Array.isArray(input.questions) ? input.questions.filter(isRecord) : []
  if (!one || others.length > 0 || one.multiSelect === true || one.multiple === true) return undefined
  const { question, options } = one
  if (typeof question !== 'string' || !Array.isArray(options)) return undefined
  const described = options.filter(isRecord).map(({ label, description }) => ({ label, description }))
  const labels = described.flatMap(({ label }) =>
    typeof label === 'string' && label.trim() !== '' ? label : [],
  )
  if (labels.length === 0 || labels.length !== options.length || new Set(labels).size < labels.length)
    return undefined
  const rows = described.flatMap(({ label, description }) =>
    typeof description === 'string' ? rowsOfField([String(label), description]) : [],
  )
  return {
    for: 'question',
    ...{ tool, input, about: question },
    rows: [...question.split(/\r?\n/).map(plainly), ...rows],
    options: labels.map((label, place) => ({ label: plainly(label), number: place + 1 })),
    replies: labels.map(label => JSON.stringify(reply(question, label))),
    takenBy(later) {
      const answer = answerBy(later, question)
      return answer === undefined ? undefined : labels.indexOf(answer)
    },
  }
}
