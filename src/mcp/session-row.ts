/** A session as a tool answers it. */
import { z } from 'zod'
import { explain, explainSinceLook, heldSince } from '../core/explain/explain.ts'
import { oneLine } from '../core/text/printable.ts'
import { homeFolder } from '../sessions/caller-context.ts'
import { needsPerson } from '../sessions/rank.ts'
import { nameOf } from '../sessions/session-names.ts'
import type { LiveSession } from '../sessions/session-source.ts'
import { realClock } from '../track/clock.ts'

export const sessionShape = z.object({
  id: z.string().describe('give it as `session` or `pane`'),
  agent: z.string(),
  name: z.string(),
  state: z.string(),
  for: z.string().optional().describe('what is waited for'),
  health: z.string(),
  confidence: z.number(),
  held: z.number().describe('seconds in this state'),
  needs_person: z.boolean(),
  folder: z.string().optional(),
  pane: z.string().optional(),
  why: z.string(),
})

export function sessionRow(live: LiveSession): z.infer<typeof sessionShape> {
  const { id, agent, cwd, pane, terminal, session } = live
  const { state, health, confidence } = session.verdict
  const at = terminal ?? (pane === undefined ? undefined : `tmux:${pane}`)
  return {
    id,
    agent,
    name: oneLine(nameOf(live, homeFolder()), 200),
    state: state.kind,
    ...(state.kind === 'waiting' ? { for: state.for } : {}),
    health: health.level,
    confidence,
    held: Math.max(0, Math.round(clock.now() - heldSince(session.verdict)) / 1000),
    needs_person: needsPerson(live),
    ...(cwd === undefined ? {} : { folder: oneLine(cwd, 500) }),
    ...(at === undefined ? {} : { pane: at }),
    why: whyOf(live),
  }
}

const clock = realClock()

/** The verdict as a sentence. */
export function whyOf({ session: { verdict, facts }, isSinceLook }: LiveSession): string {
  const sentence = isSinceLook
    ? explainSinceLook(verdict, clock.now(), facts)
    : explain(verdict, clock.now(), facts)
  return oneLine(sentence, 500)
}

export const sentenceOf = (live: LiveSession): string =>
  `${live.agent} ${live.id} (${oneLine(nameOf(live, homeFolder()), 100)}): ${whyOf(live)}`
