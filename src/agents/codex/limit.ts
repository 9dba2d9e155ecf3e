/** Whether a turn of Codex failed by its provider's limit: by the kind that its rollout names, or by its words. */
import { isRecord } from '../../core/trace/trace.ts'

const words = /last status: 429\b|^You[’']ve hit your usage limit|^Quota exceeded/

/** @param kind `codex_error_info`; none in the rows of a headless run */
export function isLimit(message: string, kind?: unknown): boolean {
  if (kind === 'usage_limit_exceeded') return true
  return words.test(message) || (isRecord(kind) && Object.values(kind).some(has429))
}

const has429 = (about: unknown): boolean => isRecord(about) && about.http_status_code === 429
