/** What the payloads of hooks have in common: the agents write each field in one of two ways. */
import { isRecord } from '../../core/trace/trace.ts'

/** The fields of a payload that say which session it belongs to. */
export type HookOrigin = { readonly session?: string; readonly transcript?: string; readonly cwd?: string }

const longestPath = 4096

export function originOf(payload: unknown): HookOrigin {
  if (!isRecord(payload)) return {}
  const text = (...values: unknown[]): string | undefined =>
    values.find(
      (value): value is string => typeof value === 'string' && value !== '' && value.length <= longestPath,
    )
  const { sessionContext: context, workspaceRoots: folders } = payload
  const root = isRecord(context) ? context.rootSessionId : undefined
  const session = text(payload.session_id, payload.sessionId, root)
  const transcript = text(payload.transcript_path, payload.transcriptPath)
  const cwd = text(payload.cwd, Array.isArray(folders) && folders.length === 1 ? folders[0] : undefined)
  return {
    ...(session === undefined ? {} : { session }),
    ...(transcript === undefined ? {} : { transcript }),
    ...(cwd === undefined ? {} : { cwd }),
  }
}

/** The event that a payload names; none where the request must. */
export const namedEvent = (payload: Readonly<Record<string, unknown>>): unknown =>
  payload.hook_event_name ?? payload.hookName ?? payload.event ?? payload.type
