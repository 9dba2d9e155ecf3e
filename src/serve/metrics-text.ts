/** `GET /metrics`: counts for Prometheus, in its text format. No text of a session is in them. Pure. */
import { parseIso } from '../core/trace/time-stamp.ts'
import type { HostStatus } from '../host/messages.ts'
import type { LiveSession } from '../sessions/session-source.ts'

type Labels = Readonly<Record<string, string>>
type Sample = readonly [labels: Labels, value: number]
type Metric = {
  readonly name: string
  readonly help: string
  readonly type: 'gauge' | 'counter'
  readonly samples: readonly Sample[]
}

type OpenCounts = { readonly streams: number; readonly waits: number }

export const metricsText = (
  sessions: readonly LiveSession[],
  status: HostStatus,
  open: OpenCounts,
  now: number,
): string =>
  [
    ...[...sessionMetrics(sessions), ...hostMetrics(status, open, now)].flatMap(
      ({ name, help, type, samples }) => [
        `# HELP ${name} ${help}`,
        `# TYPE ${name} ${type}`,
        ...samples.map(([labels, value]) => `${name}${labelText(labels)} ${value}`),
      ],
    ),
    '',
  ].join('\n')

function sessionMetrics(sessions: readonly LiveSession[]): readonly Metric[] {
  const count = (labels: (live: LiveSession) => Labels): readonly Sample[] => {
    const groups = Map.groupBy(sessions, live => JSON.stringify(labels(live)))
    return [...groups.values()].map(all => [labels(all[0] as LiveSession), all.length])
  }
  const verdictOf = ({ session }: LiveSession) => session.verdict
  return [
    {
      ...{ name: 'lull_sessions', help: 'Sessions by agent and state.', type: 'gauge' },
      samples: count(live => ({ agent: live.agent, state: verdictOf(live).state.kind })),
    },
    {
      ...{ name: 'lull_sessions_health', help: 'Sessions by agent and health.', type: 'gauge' },
      samples: count(live => ({ agent: live.agent, health: verdictOf(live).health.level })),
    },
  ]
}

function hostMetrics(
  { version, startedAt, hooks }: HostStatus,
  { streams, waits }: OpenCounts,
  now: number,
): readonly Metric[] {
  const one = (
    name: string,
    help: string,
    type: Metric['type'],
    value: number,
    labels: Labels = {},
  ): Metric => ({
    ...{ name, help, type },
    samples: [[labels, value]],
  })
  return [
    one('lull_info', 'The version of the host.', 'gauge', 1, { version }),
    one(
      'lull_uptime_seconds',
      'For how long the host has run.',
      'gauge',
      Math.max(0, now - (parseIso(startedAt) ?? now)) / 1000,
    ),
    one('lull_event_streams', 'Open event streams of the API.', 'gauge', streams),
    one('lull_open_waits', 'Open waits of the API.', 'gauge', waits),
    one('lull_hooks_received_total', 'Hooks that the host received.', 'counter', hooks.received),
    one('lull_hooks_refused_total', 'Hooks that the host could not read.', 'counter', hooks.refused),
    one('lull_hooks_unplaced_total', 'Hooks of no running agent.', 'counter', hooks.unplaced),
  ]
}

function labelText(labels: Labels): string {
  const pairs = Object.entries(labels).map(([name, value]) => `${name}="${escaped(value)}"`)
  return pairs.length === 0 ? '' : `{${pairs.join(',')}}`
}

/** As the format wants it; the name of an agent may be a user's own. */
const escaped = (value: string): string =>
  value.replace(/[\\"\n]/g, sign => (sign === '\n' ? '\\n' : `\\${sign}`)).replace(/\p{Cc}/gu, '')
