/**
 * Events that will begin a turn by themselves, read from the transcript: results of ScheduleWakeup, CronCreate, CronDelete and
 * Monitor, the end of a watch, and the goal's status (2.1.330, sdk-tools.d.ts).
 */
import type { Wake } from '../../core/evidence/background.ts'
import { isRecord } from '../../core/trace/trace.ts'
import type { Memory, Moment } from '../kit/agent.ts'
import { withEntry, without } from '../kit/beside-turn.ts'

type Wakes = NonNullable<Memory['wakes']>

const longestWhat = 200

const text = (value: unknown): string | undefined =>
  typeof value === 'string' && value !== '' ? value.slice(0, longestWhat) : undefined

/** @returns the same where the result of this tool schedules nothing, and ends nothing */
export function wakesAfterTool(
  wakes: Wakes,
  tool: string | undefined,
  result: unknown,
  moment: Moment,
): Wakes {
  if (!isRecord(result)) return wakes
  const id = text(result.id) ?? text(result.taskId)
  switch (tool) {
    case 'ScheduleWakeup':
      if (result.stopped === true) return without(wakes, 'wakeup')
      if (typeof result.scheduledFor !== 'number') return wakes
      return withEntry<Wake>(wakes, 'wakeup', { kind: 'wakeup', at: moment.until(result.scheduledFor) })
    case 'CronCreate': {
      const schedule = text(result.humanSchedule)
      const kind = result.recurring === false ? 'wakeup' : 'cron'
      const at =
        typeof result.nextFireAt === 'number' && kind === 'wakeup'
          ? { at: moment.until(result.nextFireAt) }
          : {}
      return id === undefined
        ? wakes
        : withEntry<Wake>(wakes, id, { kind, ...at, ...(schedule === undefined ? {} : { what: schedule }) })
    }
    case 'Monitor':
      return id === undefined ? wakes : withEntry<Wake>(wakes, id, { kind: 'monitor' })
    case 'CronDelete':
    case 'TaskStop':
      return without(wakes, id ?? text(result.task_id) ?? '')
    default:
      return wakes
  }
}

/** A goal that is set, met or given up; undefined where the row has none. */
export function goalOf(attachment: unknown): string | undefined {
  if (!isRecord(attachment) || attachment.type !== 'goal_status') return undefined
  return attachment.met === true || attachment.failed === true ? '' : (text(attachment.condition) ?? 'a goal')
}
