/** Notifications without a machine: sessions that a test moves, destinations that take, refuse or hang, and a clock by hand. */
import type { NotifyRules } from '../../src/notify/rules/notify-fields.ts'
import { readNotifyText } from '../../src/notify/rules/read-rules.ts'
import { compose } from '../../src/notify/step/compose-step.ts'
import type {
  NotifyInput,
  NotifyMessage,
  NotifySighting,
  NotifyState,
  Occasion,
} from '../../src/notify/step/notify-state.ts'
import { newNotify, notifyStep } from '../../src/notify/step/notify-step.ts'

export function rulesOf(yaml: string): NotifyRules {
  const read = readNotifyText(yaml, 'notify.yaml', '/home/dev')
  if ('mistakes' in read) throw new Error(read.mistakes.join('\n'))
  return read.rules
}

export type Told = {
  readonly at: number
  readonly what: 'sent' | 'withdrawn'
  readonly to: string
  readonly title: string
  /** Sessions. */
  readonly of: readonly string[]
  readonly keys: readonly string[]
  readonly isUrgent: boolean
  readonly attempt: number
}

type Happened = NotifyInput extends infer Each
  ? Each extends NotifyInput
    ? Omit<Each, 'now' | 'minute'>
    : never
  : never

type Options = {
  /** Local time at the beginning, minutes since midnight. */
  readonly minute?: number
  /** What comes of an attempt; it is delivered where not given. `hangs` is answered by the test. */
  readonly came?: (message: NotifyMessage, now: number) => 'failed' | 'hangs' | undefined
  readonly sent?: readonly NotifyMessage[]
  readonly from?: number
}

export function notifyWorld(
  rules: string | NotifyRules,
  { minute = 12 * 60, came, sent = [], from = 0 }: Options = {},
) {
  let now = from
  let state: NotifyState = newNotify(typeof rules === 'string' ? rulesOf(rules) : rules, `run${from}`, sent)
  let timer = Infinity
  let shift = 0
  const log: Told[] = []
  const failures: string[] = []
  const near = new Map<string, number>()
  const wall = () => (minute + Math.floor(now / 60_000) + shift) % 1440

  function feed(what: Happened): void {
    const { state: next, effects } = notifyStep(state, { ...what, now, minute: wall() } as NotifyInput)
    state = next
    timer = Infinity
    const later: Happened[] = []
    for (const effect of effects)
      switch (effect.do) {
        case 'look': {
          const until = near.get(effect.session)
          later.push({
            type: 'looked',
            session: effect.session,
            key: effect.key,
            ...(until === undefined ? {} : { until }),
          })
          break
        }
        case 'deliver': {
          const { message } = effect
          const result = came?.(message, now)
          if (result === undefined) {
            keep(message.isOver ? 'withdrawn' : 'sent', message)
            later.push({ type: 'delivered', message: message.id, ref: `ref-${message.id}` })
          } else if (result === 'failed') later.push({ type: 'failed', message: message.id, why: 'no' })
          break
        }
        case 'note':
          if (effect.what === 'failed')
            failures.push(`${effect.message.to} ${effect.again === undefined ? 'given up' : effect.again}`)
          break
        case 'timer':
          timer = effect.at
      }
    for (const one of later) feed(one)
  }

  function keep(what: Told['what'], message: NotifyMessage): void {
    const { title, urgent } = compose(message, now)
    log.push({
      at: now,
      what,
      to: message.to,
      title,
      of: message.items.map(({ session }) => session),
      keys: message.items.map(({ key }) => key),
      isUrgent: urgent,
      attempt: message.attempt,
    })
  }

  return {
    log,
    failures,
    near,
    sent: () => log.filter(({ what }) => what === 'sent'),
    state: () => state,
    now: () => now,
    feed,
    begin: (sessions: Readonly<Record<string, NotifySighting>> = {}) => feed({ type: 'snapshot', sessions }),
    sees: (session: string, occasion?: Partial<Occasion> & Pick<Occasion, 'is'>) =>
      feed({ type: 'seen', session, sighting: sightingOf(session, occasion && { since: now, ...occasion }) }),
    gone: (session: string) => feed({ type: 'gone', session }),
    /** The clock of the wall is set, by minutes. */
    leap: (minutes: number) => {
      shift += minutes
    },
    advance(ms: number) {
      const end = now + ms
      for (let steps = 0; timer <= end; steps++) {
        if (steps > 100_000) throw new Error('it never comes to rest')
        now = Math.max(now, timer)
        feed({ type: 'time' })
      }
      now = end
    },
    /** As a laptop that slept: no timer came in between. */
    sleep(ms: number) {
      now += ms
      feed({ type: 'time' })
    },
  }
}

export const sightingOf = (session: string, occasion?: Occasion, cwd = '/home/dev/api'): NotifySighting => ({
  subject: {
    agent: 'claude',
    cwd,
    who: `claude ${session}`,
    what: occasion?.is ?? 'working',
    go: `lull go ${session}`,
  },
  ...(occasion ? { occasion } : {}),
})
