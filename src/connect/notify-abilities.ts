/** Whether notifications can be delivered, and the status line filled: rows of `lull doctor`. */
import { formatDuration } from '../core/text/duration.ts'
import { oneLine } from '../core/text/printable.ts'
import { openHistory } from '../history/open-history.ts'
import { findHost, whyNoHost } from '../host/find-host.ts'
import { allOf, inWordsOf, lackOf } from '../notify/destination-facts.ts'
import { lastFailures, type PastNote } from '../notify/notify-history.ts'
import { readNotifyFile } from '../notify/rules/read-rules.ts'
import { attempt } from '../os/attempt.ts'
import type { Env, Places } from '../os/file/places.ts'
import type { Ability } from '../process/abilities.ts'
import { installedIn } from '../segment/install/install-segment.ts'

/** Empty if no tmux.conf has the segment. */
export async function segmentAbilities(env: Env, places: Places): Promise<readonly Ability[]> {
  const file = installedIn(env)
  if (file === undefined) return []
  const found = await findHost(places)
  const [name, lost] = [`the host, which keeps what ${file} asks for`, 'what sessions do, in the status line']
  return [
    found.is === 'running'
      ? { name, works: true, lost }
      : { name, works: false, why: whyNoHost(found, places), lost },
  ]
}

/** Empty without destinations. */
export async function notifyAbilities(env: Env, places: Places): Promise<readonly Ability[]> {
  const read = readNotifyFile(env)
  if (!read) return []
  const lost = 'a word when a session needs you'
  const ability = (name: string, why: string | undefined): Ability =>
    why === undefined ? { name, works: true, lost } : { name, works: false, why, lost }
  const found = await findHost(places)
  const host = ability(
    'the host, which sends them',
    found.is === 'running' ? undefined : whyNoHost(found, places),
  )
  if ('mistakes' in read)
    return [
      ability('notify.yaml', `${read.mistakes.join('; ')}: the rules before hold, if there were any`),
      host,
    ]
  const now = Date.now()
  const failures = failuresIn(places, now)
  return [
    ability('notify.yaml', undefined),
    host,
    ...Object.entries(allOf(read.rules)).map(([name, to]) => {
      const failure = failures.find(note => note.to === name)
      return ability(`${name} (${inWordsOf(to)})`, lackOf(to, env) ?? (failure && failureText(failure, now)))
    }),
  ]
}

function failuresIn(places: Places, now: number): readonly PastNote[] {
  const history = attempt(() => openHistory(places, { readOnly: true }))
  try {
    return (history && attempt(() => lastFailures(history, now))) ?? []
  } finally {
    history?.close()
  }
}

const failureText = ({ at, why = '', givenUp, again }: PastNote, now: number): string => {
  const next = givenUp || again === undefined ? 'it was given up' : 'it is tried again'
  return oneLine(`its last message failed ${formatDuration(now - at)} ago, ${next}: ${why}`, 400)
}
