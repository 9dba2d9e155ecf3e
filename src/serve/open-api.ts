/** The API with what it needs while it is open, whatever carries its requests: TCP, or the stdio of `lull host stdio`. */
import { LullError } from '../core/lull-error.ts'
import { type History, openHistory } from '../history/open-history.ts'
import type { OfferAnswers } from '../notify/deliver/offered-answers.ts'
import { attempt } from '../os/attempt.ts'
import type { UnsentNotice } from '../shapes/notice-shape.ts'
import { isoOf } from '../shapes/verdict-json.ts'
import { createApi } from './api.ts'
import { actionBook } from './api-actions.ts'
import { type ApiPorts, endRevoked, openRequests } from './api-ports.ts'
import { openFeed } from './feed.ts'
import { answerLinks } from './links/answer-links.ts'
import { openRecordings } from './recordings/recordings.ts'

export type OpenDoor = {
  readonly offer: OfferAnswers
  /** @returns whether a stream takes it */
  show(notice: UnsentNotice): boolean
  /** Ends the waits and streams of tokens that were revoked. */
  checkTokens(): void
  close(): Promise<void>
}

type ApiAround = Omit<ApiPorts, 'feed' | 'actions' | 'links' | 'open' | 'recordings'>

export async function openApi(
  around: ApiAround,
): Promise<OpenDoor & Pick<ReturnType<typeof createApi>, 'fetch'>> {
  const { places, clock, complain, lull, changes, tokens, settings } = around
  const open = openRequests()
  let history: History | undefined
  const actions = actionBook(
    () => {
      history ??= attempt(() => openHistory(places))
      return history
    },
    () => clock.wall(),
  )
  const links = answerLinks({ lull, changes, clock })
  const recordings = openRecordings(places, settings)
  const feed = await openFeed({ changes }, clock, complain)
  const { fetch } = createApi({ ...around, ...{ feed, actions, links, open, recordings } })
  return {
    fetch,
    offer: links.offer,
    show: notice => feed.show({ ...notice, at: isoOf(clock.wall()) }),
    checkTokens: () => endRevoked(open, tokens),
    async close() {
      await Promise.all([feed.close(), links.close()])
      open.end(() => true, new LullError('CLOSED', 'the API is closed, or its host ends: ask again'))
      recordings.close()
      await lull.close()
      history?.close()
    },
  }
}
