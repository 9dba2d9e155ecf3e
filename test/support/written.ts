/** What a person, a model or a tool wrote in a recording, and the same recording with other texts. */
import { linesOf, type Recorded } from './recordings.ts'

/** The fields that hold such texts. */
const inEvents = new Set(
  `prompt initialPrompt text content transformedContent delta display message last_assistant_message title
   last_agent_message prompt_response command description fullCommandText output stdout stderr result question
   outputText lastPrompt summary tool_response msg label header url input args arguments aggregated_output`.split(
    /\s+/,
  ),
)
const inStatusFiles = new Set(['name', 'title'])

type Replace = (text: string, key: string) => string

/** A JSON value with each text replaced; what the program itself says in such a field stays. */
function rewritten(value: unknown, replace: Replace, key = ''): unknown {
  if (typeof value === 'string') return replace(value, key)
  if (Array.isArray(value)) return value.map(item => rewritten(item, replace, key))
  if (typeof value !== 'object' || value === null) return value
  if ('type' in value && (value.type === 'info' || value.type === 'error')) return value
  return Object.fromEntries(Object.entries(value).map(([k, v]) => [k, rewritten(v, replace, k)]))
}

const isJson = (text: unknown): text is string => typeof text === 'string' && text.startsWith('{')

/** An event with each written text replaced, and how many there were. */
export function withText([t, code, data]: Recorded, text: string): { event: Recorded; count: number } {
  let count = 0
  const fields = code === 'f' ? inStatusFiles : inEvents
  const replace: Replace = (old, key) => {
    if (!fields.has(key) || old.startsWith('<session_context>')) return old
    count++
    return text
  }
  const inside = (json: unknown): unknown =>
    isJson(json) ? JSON.stringify(rewritten(JSON.parse(json), replace)) : json
  if (code !== 'h' && code !== 't' && code !== 'f') return { event: [t, code, data], count }
  const row = JSON.parse(data) as Record<string, unknown>
  if (code === 'h') row.payload = rewritten(row.payload, replace)
  if (code === 't') row.line = inside(row.line)
  if (code === 'f') row.content = inside(row.content)
  return { event: [t, code, JSON.stringify(row)], count }
}

/** A recording in which every written text is another; `count` says how many were. */
export function recordingWith(name: string, text: string): { lines: readonly string[]; count: number } {
  const [header, ...rows] = linesOf(name)
  const events = rows.map(row => withText(JSON.parse(row) as Recorded, text))
  return {
    lines: [header as string, ...events.map(({ event }) => JSON.stringify(event))],
    count: events.reduce((sum, { count }) => sum + count, 0),
  }
}
