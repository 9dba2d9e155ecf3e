/**
 * Links that answer a dialog, for notifications: each is good for one option of one dialog, once, and a page shows the dialog with
 * a button for each. Who has the link needs no token: it is 256 bits, and ends with the dialog. Kept in memory alone: after a
 * restart no old link answers anything.
 */
import { randomBytes } from 'node:crypto'
import type { Instant } from '../../core/state.ts'
import type { OfferAnswers } from '../../notify/deliver/offered-answers.ts'
import { hashOf } from '../tokens.ts'
import { linkedOptions } from './linked-options.ts'
import { type OfferedDialog, type OfferPorts, offeredDialogs } from './offered-dialogs.ts'

type Offer = OfferedDialog & {
  readonly by: string
  readonly until: Instant
  /** Its links, for the page: the place of each option that has one. */
  readonly linked: readonly { readonly place: number; readonly secret: string }[]
}
/** `option`: its place; none of the page. */
type Link = { readonly offer: Offer; readonly option?: number }

export type AnswerLinks = {
  readonly offer: OfferAnswers
  find(secret: string): Link | undefined
  /** Takes all links of the dialog away: one answer. */
  use(offer: Offer): void
  /** Nothing was answered: they are good again, as far as the dialog is still asked. */
  giveBack(offer: Offer): void
  /** Whether it is still asked; ends it where it is not. @throws {LullError} where that can't be seen */
  isAsked(offer: Offer): Promise<boolean>
  close(): Promise<void>
}

/** ms; a dialog that stands for longer is told of again, or answered elsewhere. */
const longestMs = 24 * 3_600_000
const most = 2000

export const answerPath = '/answer/'

export function answerLinks(ports: OfferPorts): AnswerLinks {
  const { clock } = ports
  const links = new Map<string, Link>()
  const used = new WeakSet<Offer>()
  const dialogs = offeredDialogs<Offer>(ports, offer => {
    for (const [key, link] of links) if (link.offer === offer) links.delete(key)
  })
  const newSecret = () => randomBytes(32).toString('base64url')

  function add(secret: string, link: Link): void {
    links.set(hashOf(secret), link)
    const [oldest] = links.values()
    if (links.size > most && oldest) dialogs.drop(oldest.offer)
  }

  return {
    async offer(session, by) {
      const dialog = await dialogs.asked(session)
      const places = dialog ? linkedOptions(dialog) : []
      if (!dialog || places.length === 0) return undefined
      const linked = places.map(place => ({ place, secret: newSecret() }))
      const page = newSecret()
      const offer: Offer = { session, by, dialog, until: clock.now() + longestMs, linked }
      dialogs.add(offer)
      add(page, { offer })
      for (const { place, secret } of linked) add(secret, { offer, option: place })
      const options = linked.map(({ place, secret }) => ({
        label: dialog.options[place]?.label ?? '',
        path: `${answerPath}${secret}`,
      }))
      return { shows: dialog.rows, page: `${answerPath}${page}`, options }
    },
    find(secret) {
      const link = links.get(hashOf(secret))
      return link && link.offer.until > clock.now() && !used.has(link.offer) ? link : undefined
    },
    use(offer) {
      used.add(offer)
    },
    giveBack(offer) {
      used.delete(offer)
    },
    isAsked: dialogs.isAsked,
    close: dialogs.close,
  }
}
