/**
 * The whole of respawn as one table: in a phase, on an input, where a guard holds, what is done and which phase follows. The
 * first row that fits counts. docs/respawn.md shows the same table, which a test compares.
 */
import type { ActionName } from './actions.ts'
import type { GuardName } from './guards.ts'
import type { RespawnInput, RespawnPhase } from './respawn-state.ts'

/** `look`: something new was seen, or the time came to look again. */
type On = 'look' | Exclude<RespawnInput['type'], 'seen' | 'time'>

export type Transition = {
  readonly from: readonly RespawnPhase[]
  readonly on: On
  readonly if: GuardName
  readonly does: readonly ActionName[]
  /** The same, where not given. */
  readonly to?: RespawnPhase
}

const resting = ['watching', 'hook_idle', 'confirming_idle', 'ai_checking'] as const
const open = [...resting, 'waiting'] as const
const unpaused = [...open, 'blocked', 'limited'] as const
const still = [...unpaused, 'paused'] as const
const live = [...still, 'sending'] as const

const row = (
  from: Transition['from'],
  on: On,
  guard: GuardName,
  does: Transition['does'],
  to?: RespawnPhase,
): Transition => ({ from, on, if: guard, does, ...(to === undefined ? {} : { to }) })

export const transitions: readonly Transition[] = [
  row(live, 'stop', 'always', ['abandon', 'stop: asked'], 'stopped'),
  row(live, 'pause', 'always', ['abandon', 'pause: asked'], 'paused'),
  row(['sending'], 'skip', 'a step is being typed', ['call off']),
  row(['sending'], 'skip', 'always', ['abandon', 'skip'], 'watching'),
  row(still, 'skip', 'a step may have been typed', ['call off']),
  row(still, 'skip', 'always', ['skip']),
  row(unpaused, 'look', 'it crashed, and may be started again', ['abandon', 'relaunch'], 'sending'),
  row(live, 'look', 'the agent has ended', ['abandon', 'stop: exited'], 'stopped'),
  row(still, 'look', 'the time is over', ['abandon', 'stop: time'], 'stopped'),
  row(still, 'look', 'it has cost as much as it may', ['abandon', 'stop: cost'], 'stopped'),
  row(resting, 'look', 'all cycles are done', ['stop: times'], 'stopped'),

  row(['paused'], 'resume', 'a step is not over', ['resume'], 'waiting'),
  row(['paused'], 'resume', 'always', ['resume'], 'watching'),
  row(['paused'], 'look', 'the person is away again, in a step', ['resume'], 'waiting'),
  row(['paused'], 'look', 'the person is away again', ['resume'], 'watching'),
  row(['paused'], 'look', 'the person went on by themselves', ['resume'], 'watching'),

  row(['sending'], 'acted', 'the step was typed', ['note sent'], 'waiting'),
  row(['sending'], 'acted', 'it was called off', ['skip'], 'watching'),
  row(['sending'], 'acted', 'it was done', ['note done'], 'watching'),
  row(['sending'], 'acted', 'its condition does not hold', ['note passed', 'next step'], 'watching'),
  row(['sending'], 'acted', '`until` holds', ['stop: done'], 'stopped'),
  row(['sending'], 'acted', 'a person was there', ['note person', 'pause: person'], 'paused'),
  row(['sending'], 'acted', 'the session is gone', ['stop: gone'], 'stopped'),
  row(['sending'], 'acted', 'it was not ready after all', ['note refused'], 'watching'),
  row(['sending'], 'acted', 'it failed too often', ['note failed', 'stop: failed'], 'stopped'),
  row(['sending'], 'acted', 'it failed', ['note failed', 'wait longer'], 'watching'),

  row(open, 'acted', 'it had been typed by then', ['note sent'], 'waiting'),
  row(still, 'acted', 'it had been typed by then', ['note sent']),
  row(still, 'acted', 'it was called off', ['skip']),
  row(still, 'acted', 'a step may have been typed', ['note not typed']),

  row(open, 'look', 'it asks a person', ['abandon'], 'blocked'),
  row(['blocked'], 'look', 'its question stays, and is unreported', ['tell blocked', 'accept']),
  // The report may come after the agent has gone on.
  row(live, 'accepted', 'always', ['note accepted']),
  row(['blocked'], 'look', 'it asks no more, in a step', [], 'waiting'),
  row(['blocked'], 'look', 'it asks no more', [], 'watching'),

  row(open, 'look', 'a limit was reached', ['abandon', 'tell limited'], 'limited'),
  row(['limited'], 'look', 'it asks a person', [], 'blocked'),
  row(['limited'], 'look', 'the limit is over', ['note limit over'], 'watching'),

  row(['watching', 'waiting'], 'look', 'it has been stuck for long', ['recover'], 'sending'),
  row(['watching', 'waiting'], 'look', 'it is stuck', ['tell stuck']),

  row(['waiting'], 'look', 'a person broke the turn off', ['note turn', 'pause: interrupted'], 'paused'),
  row(['waiting'], 'look', 'turns failed too often', ['note turn', 'stop: failed'], 'stopped'),
  row(['waiting'], 'look', 'the turn failed', ['note turn', 'wait longer'], 'watching'),
  row(['waiting'], 'look', 'its turn is over', ['note turn', 'next step'], 'watching'),
  row(['waiting'], 'look', 'steps began no turn too often', ['tell no turn', 'stop: no progress'], 'stopped'),
  row(['waiting'], 'look', 'it began no turn', ['tell no turn', 'next step'], 'watching'),

  row(['hook_idle', 'confirming_idle'], 'look', 'it is idle no more', [], 'watching'),
  row(['watching', 'confirming_idle'], 'look', 'an end was reported', [], 'hook_idle'),
  row(['ai_checking'], 'look', 'an end was reported, in a step', ['abandon', 'count avoided'], 'waiting'),
  row(['ai_checking'], 'look', 'an end was reported', ['abandon', 'count avoided'], 'hook_idle'),
  row(['ai_checking'], 'look', 'something has changed, in a step', ['abandon'], 'waiting'),
  row(['ai_checking'], 'look', 'something has changed', ['abandon'], 'watching'),
  row(['watching'], 'look', 'it looks idle', [], 'confirming_idle'),
  row(
    ['watching', 'waiting'],
    'look',
    'nothing is known for long, and the judge may be asked',
    ['ask the judge'],
    'ai_checking',
  ),

  row(['hook_idle'], 'look', 'it is confirmed, and a person is there', ['pause: person'], 'paused'),
  row(['hook_idle'], 'look', 'it is confirmed', ['act'], 'sending'),
  row(
    ['confirming_idle'],
    'look',
    'it is quiet, and the judge may be asked',
    ['ask the judge'],
    'ai_checking',
  ),
  row(
    ['confirming_idle'],
    'look',
    'it is quiet and sure, and a person is there',
    ['pause: person'],
    'paused',
  ),
  row(['confirming_idle'], 'look', 'it is quiet and sure', ['act'], 'sending'),

  row(['ai_checking'], 'judged', 'a step is not over', ['note judgement'], 'waiting'),
  row(['ai_checking'], 'judged', 'always', ['note judgement'], 'watching'),
]
