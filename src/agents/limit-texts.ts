/**
 * What the errors of all agents say of a limit's end. Kept apart from their readers, as a row of `lull ps` needs none of
 * them; and not by agent: one passes on what its provider says, and may run on any one's.
 */
import { limitTexts as claude } from './claude/limit-texts.ts'
import { limitTexts as codex } from './codex/limit-texts.ts'
import { limitTexts as gemini } from './gemini/limit-texts.ts'
import type { LimitTexts } from './kit/limit-texts.ts'

export const limitTexts: readonly LimitTexts[] = [claude, codex, gemini]
