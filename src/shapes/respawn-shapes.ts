/** What respawns and loops tell who steers them, and what respawns keep in the history: part of `wire-shapes.ts`. */
import { z } from 'zod'
import { lastDate } from '../core/text/last-date.ts'

const [text, number] = [z.string(), z.number()]
const [someText, someNumber] = [text.exactOptional(), number.exactOptional()]
const someFlag = z.boolean().exactOptional()
/** ms since the epoch. */
const maybeTime = number.nullable().exactOptional()

const respawnStep = { step: number }
const respawnCycle = { step: number, cycle: number }
const respawnEvent = <Type extends string, F extends z.ZodRawShape>(types: readonly Type[], fields: F) =>
  z.object({ type: z.enum(types), text: someText, ...fields })

export const respawnShapes = {
  /** `RespawnStatus` of respawn/status.ts. `since`: ms since the epoch. */
  respawnStatus: z.object({
    ...{ session: text, agent: text, name: someText, address: someText, plan: text, pid: z.int() },
    phase: text,
    since: number.min(-lastDate).max(lastDate),
    ...{ cycle: number, step: number, steps: number },
    // One of an earlier version tells less.
    tally: z.object({
      ...{ sent: number, turns: number, accepted: someNumber, judged: someNumber, judgeAvoided: someNumber },
      ...{ limits: someNumber, blocked: someNumber, recovered: someNumber },
    }),
    detection: z.object({
      ...{ stopHookReceived: someFlag, stopHookTime: maybeTime },
      ...{ idlePromptReceived: someFlag, idlePromptTime: maybeTime },
      ...{ transcriptComplete: someFlag, blocked: someFlag, working: someFlag },
      ...{ confidence: someNumber, idleConfidence: someNumber, statusText: text },
    }),
  }),
  respawnEvent: z.union([
    respawnEvent(['started'], { steps: number }),
    respawnEvent(['phase'], { phase: text }),
    respawnEvent(['sending', 'sent', 'passed', 'skipped'], respawnCycle),
    respawnEvent(['refused', 'failed', 'no_turn'], respawnStep),
    respawnEvent(['turn_ended'], { ...respawnStep, after: text }),
    respawnEvent(['blocked'], { for: text }),
    respawnEvent(['accepted'], { text }),
    respawnEvent(['limited'], { until: number.min(-lastDate).max(lastDate) }),
    respawnEvent(['judged'], { says: text }),
    respawnEvent(['paused'], { by: text }),
    respawnEvent(['stopped'], { outcome: text }),
    respawnEvent(['would_send'], { ...respawnStep, text }),
    respawnEvent(['stuck', 'recover', 'relaunch', 'judging', 'resumed', 'left', 'warning'], {}),
  ]),
  /** `LoopStatus` of loop/loop-runner.ts. */
  loopStatus: z.object({ phase: text, iteration: number, isPausing: z.boolean() }),
} as const
