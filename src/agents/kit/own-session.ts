/**
 * Hooks are set for a folder or a person, not for a process: a `claude -p` that a turn runs as its tool reports to the
 * same place under an id of its own. Its news are not the session's.
 */
import { isRecord } from '../../core/trace/trace.ts'
import { type HookInput, type Memory, nothing, type Reader, type Reading } from './agent.ts'

/** A reader of hooks that takes only those of the process' own session. */
export const ownSession =
  (readHook: Reader<HookInput>): Reader<HookInput> =>
  (input, moment, memory) => {
    const { id, source } = identify(input.payload)
    const { session, nested = [], isOpen = false } = memory
    if (id !== undefined && nested.includes(id)) return nothing
    const isStart = /^sessionStart$/i.test(input.event) && (source === 'startup' || source === 'new')
    if (id !== undefined && isStart && isOpen && session !== undefined && id !== session) {
      return { signals: [], memory: { ...memory, nested: [...nested.slice(-7), id] } }
    }
    const reading = readHook(input, moment, memory)
    return { ...reading, memory: after(reading, memory, id ?? session) }
  }

/** The readers forget all that belongs to a turn when it ends; whose the hooks are stays. */
function after(reading: Reading, old: Memory, session: string | undefined): Memory {
  const memory = reading.memory ?? old
  return {
    ...memory,
    ...(session === undefined ? {} : { session: memory.session ?? session }),
    ...(old.nested ? { nested: old.nested } : {}),
    isOpen: isOpenAfter(reading, old.isOpen ?? false),
  }
}

/** Whether a source's turn is open, as far as this reading tells. */
export function isOpenAfter({ signals }: Reading, isOpen: boolean): boolean {
  let open = isOpen
  for (const signal of signals) {
    if (signal.type !== 'news' || signal.lane !== 'main' || signal.says.kind === 'unknown') continue
    open = signal.says.kind === 'working' || signal.says.kind === 'waiting'
  }
  return open
}

function identify(payload: unknown): { id?: string; source?: unknown } {
  if (!isRecord(payload)) return {}
  const id = payload.session_id ?? payload.sessionId
  return typeof id === 'string' ? { id, source: payload.source } : {}
}
