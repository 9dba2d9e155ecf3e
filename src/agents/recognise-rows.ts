/** Which CLI printed a JSON object on its stdout: known by the object's shape, whatever program the command line names. */
import { isRecord, longestLine, parseJson } from '../core/trace/trace.ts'
import { type AgentName, hookedNames } from './agent-names.ts'
import type { RowShape } from './kit/agent.ts'
import { agents } from './registry.ts'

/** The CLI whose run begins with this value; undefined for any other JSON. */
export const whoBegins = (value: unknown): AgentName | undefined =>
  hookedNames.find(name => hasShape(value, agents[name].headless.begins))

/** The CLI that prints this value instead of rows: its answer, and nothing else. */
export const whoAnswers = (value: unknown): AgentName | undefined =>
  hookedNames.find(name => hasShape(value, agents[name].headless.answers))

/** The same for a line of output. */
export const whoBeginsWith = (line: string): AgentName | undefined =>
  line.startsWith('{') && line.length <= longestLine ? whoBegins(parseJson(line)) : undefined

function hasShape(value: unknown, shape: RowShape | undefined): boolean {
  if (shape === undefined || !isRecord(value)) return false
  return Object.entries(shape).every(([name, wanted]) => {
    const field = value[name]
    if (wanted instanceof RegExp) return typeof field === 'string' && wanted.test(field)
    return typeof field === wanted && field !== null
  })
}
