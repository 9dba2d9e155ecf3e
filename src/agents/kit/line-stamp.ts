/** When a line of a transcript was written, by the time stamp that it carries. */
import { parseIso, parseStamp } from '../../core/trace/time-stamp.ts'
import { isRecord, parseJson } from '../../core/trace/trace.ts'

/** The stamp of a line, whatever its agent calls it. Only the start of a long line is looked at. */
export function ownStamp(text: string): number | undefined {
  const json = text.startsWith('{') ? parseJson(text) : undefined
  if (isRecord(json)) return parseStamp(json.timestamp) ?? parseStamp(json.time) ?? parseStamp(json.ts)
  const logged = /(?:^|\s)timestamp=(\S+)/.exec(text.slice(0, 200))?.[1]
  return logged === undefined ? undefined : parseIso(logged)
}
