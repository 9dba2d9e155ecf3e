/** `lull notify init|check|test|log`: checks, tests and lists notifications. The host sends them. */
import { defined } from '../../../core/defined.ts'
import { exitCode } from '../../../core/exit-codes.ts'
import { LullError } from '../../../core/lull-error.ts'
import { formatDuration } from '../../../core/text/duration.ts'
import { nearNames } from '../../../core/text/near-names.ts'
import { openHistory } from '../../../history/open-history.ts'
import { findHost, whyNoHost } from '../../../host/find-host.ts'
import { connect, placesOf, realClock } from '../../../index.ts'
import { deliver, type ShowNotice } from '../../../notify/deliver/deliver.ts'
import { postTransition } from '../../../notify/deliver/post-transition.ts'
import { whyNotServed } from '../../../notify/deliver/request.ts'
import { allOf, inWordsOf, lackOf, warningsOf } from '../../../notify/destination-facts.ts'
import { noteKinds, type PastNote, readNote } from '../../../notify/notify-history.ts'
import { previewOf } from '../../../notify/occasion.ts'
import type { Destination, TransitionsHook } from '../../../notify/rules/destination-fields.ts'
import { neededRules, notifyFile, readNotifyFile } from '../../../notify/rules/read-rules.ts'
import { initNotify } from '../../../notify/rules/sample-rules.ts'
import type { Outgoing } from '../../../notify/step/compose-step.ts'
import { queuesOf } from '../../../notify/transitions/queue-facts.ts'
import { sampleTransition } from '../../../notify/transitions/transition.ts'
import { askToShow } from '../../../serve/doors/ask-door.ts'
import { homeFolder } from '../../../sessions/caller-context.ts'
import { testNoticeId } from '../../../shapes/test-notice.ts'
import { durationFlag } from '../../flags/flag-values.ts'
import { jsonLine, lines, onNotice, print } from '../../ui/print.ts'

type JsonFlag = { readonly json?: boolean }

export function notifyInitCommand(): void {
  print(
    lines(`${initNotify(process.env)} written; try it with lull notify test, start it with lull host start`),
  )
}

export async function notifyCheckCommand({ json }: JsonFlag): Promise<void> {
  const file = notifyFile(process.env)
  const read = readNotifyFile(process.env)
  if (read && 'mistakes' in read) {
    for (const mistake of read.mistakes) onNotice(mistake)
    process.exitCode = exitCode.usage
    return
  }
  const rules = neededRules(process.env, read)
  const places = placesOf()
  const found = await findHost(places)
  await using lull = await connect({ onNotice })
  const now = previewOf(rules, await lull.sessions(), realClock().now(), homeFolder())
  const queues = queuesOf(rules.transitions, places)
  const destinations = Object.entries(allOf(rules)).map(([name, to]) => {
    const { queued, isStopped } = queues[name] ?? {}
    const lack = isStopped ? 'it answered 410: another address continues' : lackOf(to, process.env)
    return { name, is: inWordsOf(to), ...defined({ queued, lack }) }
  })
  const isRunning = found.is === 'running'
  const warnings = [
    ...warningsOf(rules, file),
    ...(isRunning ? [] : [`no notifications are sent: ${whyNoHost(found, places)}`]),
  ]
  if (json) {
    const due = now.map(one => ({ ...one, in: Math.round(one.in) / 1000 }))
    print(jsonLine({ file, destinations, rules: rules.rules.length, host: isRunning, now: due, warnings }))
    return
  }
  print(
    lines(
      `${file}: ok`,
      ...destinations.map(({ name, is, queued, lack }) => {
        const what = `${name}: ${is}${queued ? `, ${queued} to send` : ''}`
        return lack === undefined ? `  ✓ ${what}` : `  ✗ ${what}, but ${lack}`
      }),
      ...(now.length === 0 ? ['no session matches a rule now'] : ['sessions that match now:']),
      ...now.map(
        ({ to, title, in: left }) => `  ${to}${left > 0 ? ` in ${formatDuration(left)}` : ''}: ${title}`,
      ),
    ),
  )
  for (const warning of warnings) onNotice(warning)
}

const sample: Outgoing = {
  id: 'test',
  withdrawn: false,
  urgent: false,
  title: 'lull: a test',
  text: 'A session that needs you looks like this.\nlull go',
  count: 0,
  sessions: [],
}

export async function notifyTestCommand(names: readonly string[], { json }: JsonFlag): Promise<void> {
  const destinations = allOf(neededRules(process.env))
  const all = Object.keys(destinations)
  for (const name of names)
    if (!all.includes(name)) {
      const near = nearNames(name, all)
      const meant = near.length > 0 ? `did you mean ${near.join(' or ')}?` : `there is ${all.join(', ')}`
      throw new LullError('USAGE', `"${name}" is not a destination: ${meant}`)
    }
  const wanted = names.length > 0 ? names : all
  const sockets = await socketsNow()
  await Promise.all(
    wanted.map(async name => {
      const to = destinations[name]
      if (!to) return
      const begun = performance.now()
      const id = testNoticeId(`${process.pid}-${name}`)
      const came = await sendSample(to, id, sockets)
      const ms = Math.round(performance.now() - begun)
      const why = came.is === 'failed' ? came.why : undefined
      const unanswered = await whyNoAnswers(to)
      if (why !== undefined || unanswered !== undefined) process.exitCode = exitCode.failed
      const row = {
        name,
        is: inWordsOf(to),
        sent: why === undefined,
        ...(why === undefined ? { ms } : { why }),
        ...defined({ unanswered }),
      }
      const sentence = [why ?? `sent in ${ms} ms`, ...(unanswered === undefined ? [] : [unanswered])].join(
        '; ',
      )
      const sign = why === undefined && unanswered === undefined ? '✓' : '✗'
      print(json ? jsonLine(row) : lines(`${sign} ${name}: ${sentence}`))
    }),
  )
}

/** Why a link in its messages would answer nothing. */
async function whyNoAnswers(to: Destination | TransitionsHook): Promise<string | undefined> {
  const at = 'answerAt' in to ? to.answerAt : undefined
  const why = at === undefined ? undefined : await whyNotServed(at)
  return why === undefined ? undefined : `links to ${at} would answer nothing: ${why}`
}

function sendSample(to: Destination | TransitionsHook, id: string, sockets: readonly string[]) {
  const { env } = process
  const show: ShowNotice = notice => askToShow(placesOf(), notice)
  if (to.by !== 'transitions') return deliver(to, { ...sample, id }, { env, sockets, show })
  const wall = Date.now()
  return postTransition(to, sampleTransition(id, wall), { env, attempt: 1, wall })
}

/** tmux servers in which sessions run. */
async function socketsNow(): Promise<readonly string[]> {
  await using lull = await connect({ onNotice })
  return [...new Set((await lull.sessions()).flatMap(({ tmux }) => tmux ?? []))]
}

const dayMs = 86_400_000

export function notifyLogCommand({ since, json }: JsonFlag & { readonly since?: string }): void {
  const from = Date.now() - (durationFlag('--since', since) ?? dayMs)
  const history = openHistory(placesOf(), { readOnly: true })
  try {
    const notes = history
      .entries({ kinds: noteKinds, since: from })
      .map(readNote)
      .filter(note => note !== undefined)
    for (const notice of history.notices) onNotice(notice)
    if (json)
      for (const { at, ...note } of notes) print(jsonLine({ at: new Date(at).toISOString(), ...note }))
    else print(notes.length === 0 ? lines('no notifications were sent') : lines(...notes.map(lineOf)))
  } finally {
    history.close()
  }
}

function lineOf({ at, what, to, title, why, again, givenUp }: PastNote): string {
  const time = new Date(at)
  const day = time.toISOString().slice(0, 10)
  const next = givenUp ? ', given up' : again === undefined ? '' : `, again in ${formatDuration(again)}`
  return `${day} ${time.toTimeString().slice(0, 8)} ${what.padEnd(9)} ${to}: ${title}${why === undefined ? '' : ` (${why}${next})`}`
}
