/** `lull since`: what happened while a person was away. */

import { openHistory } from '../../../history/open-history.ts'
import { findHost, whyNoHost } from '../../../host/find-host.ts'
import { placesOf } from '../../../index.ts'
import { homeFolder } from '../../../sessions/caller-context.ts'
import { exited, stateKind } from '../../../sessions/history/session-past.ts'
import { whileAway } from '../../../sessions/history/while-away.ts'
import { readTime } from '../../flags/time-flag.ts'
import { onNotice } from '../../notice.ts'
import { awayHeadline, awayLines } from '../../ui/away-lines.ts'
import { wrap } from '../../ui/cells.ts'
import { jsonLine, lines, print, terminalWidth } from '../../ui/print.ts'

export async function sinceCommand(time: string, { json }: { readonly json?: boolean }): Promise<void> {
  const now = Date.now()
  const from = readTime('lull since', time, now)
  const places = placesOf()
  const history = openHistory(places, { readOnly: true })
  try {
    const before = history.lastOfEach(stateKind, { before: from, without: exited })
    const entries = history.entries({ kinds: [stateKind], since: from, most: Infinity })
    for (const notice of history.notices) onNotice(notice)
    const found = await findHost(places)
    if (found.is !== 'running') onNotice(`new states are not stored: ${whyNoHost(found, places)}`)
    const away = whileAway([...before, ...entries], from, now)
    if (json) {
      for (const { session: id, since, last, waited, ...rest } of away)
        print(
          jsonLine({
            id,
            ...rest,
            ...last,
            since: new Date(since).toISOString(),
            waited: Math.round(waited) / 1000,
          }),
        )
      return
    }
    const width = terminalWidth()
    const rows = away.flatMap(one => awayLines(one, homeFolder(), width))
    print(lines(...wrap(awayHeadline(away, from, now, history.begin()), width), ...rows))
  } finally {
    history.close()
  }
}
