/**
 * OpenCode's log (`~/.local/share/opencode/log/*.log`, logfmt): flushed about once a second, so it is late but stamped.
 * A session that starts its loop while no other runs is the main one.
 */
import { parseJson } from '../../core/trace/trace.ts'
import {
  claimsOf,
  isAbort,
  type LineInput,
  type Memory,
  type Moment,
  nothing,
  type Reading,
  read,
  refuse,
  remember,
} from '../kit/agent.ts'

const field =
  /(?:^| )(timestamp|level|message|session\.id|step|id|small|questions|patterns|requestID|error)=("(?:[^"\\]|\\.)*"|\S*)/g
const longest = 100_000

export function readLine(input: LineInput, moment: Moment, memory: Memory): Reading {
  const { line } = input
  if (line.length > longest) return refuse(`log line: longer than ${longest} characters`)
  const f = readFields(line)
  if (f.message === undefined) return nothing
  const claim = claimsOf(
    'transcript',
    `log: ${f.message.slice(0, 60)}`,
    moment.stamp(f.timestamp),
    moment.seen,
  )
  const session = f['session.id']
  const main = memory.session ?? session
  const isMain = session === undefined || session === main
  switch (f.message) {
    case 'loop':
      if (!isMain) return read(claim.background(`sub:${session}`))
      return remember(
        { ...memory, session: main },
        claim.working('thinking', { starts: f.step === '0', reopens: true, ends: ['ask:main:*'] }),
      )
    case 'process':
      if (!isMain) return nothing
      if (f.level !== 'ERROR') return read(claim.working('thinking'))
      if (isAbort(f.error)) return remember(forget(memory), claim.idle('interrupt'))
      return remember(forget(memory), claim.idle('error'), claim.facts({ error: f.error }))
    case 'cancel':
      if (!isMain) return read(claim.ended([`sub:${session}`]))
      // It may be the turn's last line: a cancelled retry has no other end.
      if (memory.session === undefined) return nothing
      return remember(forget(memory), claim.idle('interrupt', { ends: ['sub:*', 'ask:*'] }))
    case 'stream':
      return isMain && f.small === 'false' ? read(claim.working('thinking')) : nothing
    case 'stream error':
      return isMain && f.small === 'false' ? read(claim.working('retrying')) : nothing
    case 'asking': {
      const reason = f.questions === undefined ? 'permission' : 'question'
      if (f.id === undefined) return nothing
      return read(
        claim.waiting(`ask:main:${f.id.slice(0, 100)}`, reason),
        claim.facts({ question: commandsIn(f.patterns) }),
      )
    }
    case 'rejected':
    case 'replied':
      return f.requestID === undefined
        ? nothing
        : read(claim.working('thinking', { ends: [`ask:main:${f.requestID.slice(0, 100)}`] }))
    case 'exiting loop':
      if (!isMain) return read(claim.ended([`sub:${session}`]))
      return remember(forget(memory), claim.idle('turn'))
    default:
      return nothing
  }
}

/** The next loop that begins is the main session's, whichever that is then. */
function forget({ session: _, ...rest }: Memory): Memory {
  return rest
}

/** The commands of a line, one below the other. The line holds the list as JSON in a quoted text. */
function commandsIn(patterns: string | undefined): string | undefined {
  const list = parseJson(String(parseJson(`"${patterns ?? ''}"`)))
  const commands = Array.isArray(list) ? list.filter(one => typeof one === 'string') : []
  return commands.length === 0 ? undefined : commands.join('\n')
}

function readFields(line: string): Record<string, string> {
  const fields: Record<string, string> = {}
  for (const [, name, value] of line.matchAll(field)) {
    const key = name as string
    if (fields[key] === undefined) fields[key] = (value as string).replace(/^"|"$/g, '')
  }
  return fields
}
