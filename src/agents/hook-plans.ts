/**
 * How each agent is made to report its events. Kept apart from their readers: where hooks stand, and what they send with,
 * is asked below a table of `lull ps`, and needs none of them.
 */
import { type HookedName, hookedNames } from './agent-names.ts'
import { hookPlan as claude } from './claude/hook-plan.ts'
import { hookPlan as cline } from './cline/hook-plan.ts'
import { hookPlan as codex } from './codex/hook-plan.ts'
import { hookPlan as copilot } from './copilot/hook-plan.ts'
import { hookPlan as gemini } from './gemini/hook-plan.ts'
import type { HookedPlan, HookPlan } from './kit/hook-plan.ts'
import { hookPlan as opencode } from './opencode/hook-plan.ts'
import { hookPlan as pi } from './pi/hook-plan.ts'
import { hookPlan as qwen } from './qwen/hook-plan.ts'

const plans: Readonly<Record<HookedName, HookPlan>> = {
  claude,
  codex,
  opencode,
  gemini,
  qwen,
  copilot,
  pi,
  cline,
}

export const hookPlans: readonly HookedPlan[] = hookedNames.map(name => ({ name, hooks: plans[name] }))
