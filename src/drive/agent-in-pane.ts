/** The agent that runs in a pane, if one does, and what is known of it. */
import type { LiveSession } from '../sessions/session-source.ts'
import type { Look } from '../terminal/open-pane.ts'
import { agentPids, type Judged } from './refusal.ts'

/** @param sessions asked only where the pane's foreground is a known agent */
export async function judgePane(
  look: Look,
  sessions: () => Promise<readonly LiveSession[]>,
): Promise<Judged> {
  const pids = agentPids(look.probe)
  if (pids.length === 0) return { look, isStranger: false }
  const agent = (await sessions()).find(({ pid }) => pids.includes(pid))
  return agent ? { look, agent, isStranger: false } : { look, isStranger: true }
}
