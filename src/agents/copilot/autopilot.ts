/**
 * Copilot's autopilot (session-events.schema.json of 1.0.102): it begins its next turn by itself until its task is complete.
 * Nobody types, and between two turns the session is idle for a moment.
 */

export type AutopilotData = {
  readonly operation?: string | undefined
  readonly status?: string | undefined
  readonly newMode?: string | undefined
  readonly agentMode?: string | undefined
  readonly isAutopilotContinuation?: boolean | undefined
  readonly success?: boolean | undefined
}

/** What it goes on for, empty where it does no more; undefined where the event says nothing of it. */
export function goalOf(type: string, d: AutopilotData): string | undefined {
  switch (type) {
    case 'session.autopilot_objective_changed':
      return d.status === 'active' && d.operation !== 'delete' ? 'the objective of its autopilot' : ''
    case 'user.message':
      if (d.isAutopilotContinuation || d.agentMode === 'autopilot') return 'the task of its autopilot'
      return d.agentMode === undefined ? undefined : ''
    case 'session.mode_changed':
      return d.newMode === undefined || d.newMode === 'autopilot' ? undefined : ''
    case 'session.task_complete':
      return d.success === false ? undefined : ''
    case 'session.autopilot_stopped':
    case 'abort':
      return ''
    default:
      return undefined
  }
}
