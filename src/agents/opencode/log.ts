/**
 * OpenCode's log (`~/.local/share/opencode/log/*.log`, logfmt): flushed about once a second, so it is late but stamped.
 * The session whose loop begins while none runs is the main one.
 */
import {
  claimsOf,
  type LineInput,
  type Memory,
  type Moment,
  nothing,
  type Reading,
  read,
  refuse,
} from '../kit/agent.ts'

const field =
  /(?:^| )(timestamp|level|message|session\.id|step|id|small|questions|requestID|error)=("(?:[^"\\]|\\.)*"|\S*)/g
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
      return {
        signals: [claim.working('thinking', { starts: f.step === '0', reopens: true, ends: ['ask:main:*'] })],
        memory: { ...memory, session: main },
      }
    case 'process':
      if (!isMain) return nothing
      if (f.level !== 'ERROR') return read(claim.working('thinking'))
      return {
        signals: [claim.idle('error'), claim.facts({ error: f.error })],
        memory: forget(memory),
      }
    case 'stream':
      return isMain && f.small === 'false' ? read(claim.working('thinking')) : nothing
    case 'stream error':
      return isMain && f.small === 'false' ? read(claim.working('retrying')) : nothing
    case 'asking': {
      const reason = f.questions === undefined ? 'permission' : 'question'
      return f.id === undefined ? nothing : read(claim.waiting(`ask:main:${f.id.slice(0, 100)}`, reason))
    }
    case 'replied':
      return f.requestID === undefined
        ? nothing
        : read(claim.working('thinking', { ends: [`ask:main:${f.requestID.slice(0, 100)}`] }))
    case 'exiting loop':
      if (!isMain) return read(claim.ended([`sub:${session}`]))
      return { signals: [claim.idle('turn')], memory: forget(memory) }
    default:
      return nothing
  }
}

/** The next loop that begins is the main session's, whichever that is then. */
function forget({ session: _, ...rest }: Memory): Memory {
  return rest
}

function readFields(line: string): Record<string, string> {
  const fields: Record<string, string> = {}
  for (const [, name, value] of line.matchAll(field)) {
    const key = name as string
    if (fields[key] === undefined) fields[key] = (value as string).replace(/^"|"$/g, '')
  }
  return fields
}
