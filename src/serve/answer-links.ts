/**
 * Links that answer a dialog, for notifications: each is good for one option of one dialog, once, and a page shows the dialog with
 * a button for each. Who has the link needs no token: it is 256 bits, and ends with the dialog. Kept in memory alone: after a
 * restart no old link answers anything.
 */
import { randomBytes } from 'node:crypto'
import type { Lull } from '../connect/connect.ts'
import type { Clock } from '../core/clock.ts'
import { isLullError } from '../core/lull-error.ts'
import { redact } from '../core/redact/redact.ts'
import type { Instant } from '../core/state.ts'
import { oneLine } from '../core/text/printable.ts'
import { needsText } from '../drive/dialog/own-text.ts'
import type { ShownDialog } from '../drive/dialog/shown-dialog.ts'
import type { OfferAnswers } from '../notify/deliver/offered-answers.ts'
import { hashOf } from './tokens.ts'

type Offer = {
  readonly session: string
  readonly by: string
  readonly dialog: ShownDialog
  readonly until: Instant
  /** The secrets of its options, for the page. */
  readonly secrets: readonly string[]
}
/** `option`: its place; none of the page. */
type Link = { readonly offer: Offer; readonly option?: number }

export type AnswerLinks = {
  readonly offer: OfferAnswers
  find(secret: string): Link | undefined
  /** Takes all links of the dialog away: one answer. */
  use(offer: Offer): void
}

/** ms; a dialog that stands for longer is told of again, or answered elsewhere. */
const longestMs = 24 * 3_600_000
const most = 2000

export const answerPath = '/answer/'

export function answerLinks(lull: Pick<Lull, 'terminal'>, clock: Pick<Clock, 'now'>): AnswerLinks {
  const links = new Map<string, Link>()
  const add = (secret: string, link: Link): void => {
    links.set(hashOf(secret), link)
    const [oldest] = links.keys()
    if (links.size > most && oldest !== undefined) links.delete(oldest)
  }
  const newSecret = () => randomBytes(32).toString('base64url')

  return {
    async offer(session, by) {
      const dialog = await shownAt(lull, session)
      if (!dialog || !isWhole(dialog)) return undefined
      const secrets = dialog.options.map(newSecret)
      const page = newSecret()
      const offer: Offer = { session, by, dialog, until: clock.now() + longestMs, secrets }
      add(page, { offer })
      for (const [option, secret] of secrets.entries()) add(secret, { offer, option })
      const options = dialog.options.map(({ label }, place) => {
        return { label: oneLine(label, longestLabel), path: `${answerPath}${secrets[place]}` }
      })
      return { shows: dialog.rows, page: `${answerPath}${page}`, options }
    },
    find(secret) {
      const link = links.get(hashOf(secret))
      return link && link.offer.until > clock.now() ? link : undefined
    },
    use(offer) {
      for (const [key, link] of links) if (link.offer === offer) links.delete(key)
    },
  }
}

export async function shownAt(
  lull: Pick<Lull, 'terminal'>,
  session: string,
): Promise<ShownDialog | undefined> {
  try {
    await using terminal = await lull.terminal(session, { readOnly: true })
    return await terminal.dialog()
  } catch (error) {
    if (isLullError(error)) return undefined
    throw error
  }
}

/** Of a button. */
const longestLabel = 80

/** Blanks, or empty lines, behind which a text goes on out of sight. */
const gap = /\S[^\S\n]{12,}\S|\n(?:[^\S\n]*\n){3,}/u

/** What a person would not see whole, or would see otherwise than it is, gets no link. */
function isWhole({ rows, options, whole, isScrolled }: ShownDialog): boolean {
  const text = rows.join('\n')
  const isPlain = (one: string): boolean =>
    oneLine(one, one.length + 1) === one.trim() && one.length <= longestLabel
  return (
    whole === 'yes' &&
    !isScrolled &&
    options.length > 0 &&
    redact(text) === text &&
    !/[\p{Cc}\p{Cf}]/u.test(text.replaceAll('\n', '')) &&
    !gap.test(text) &&
    options.every(
      option => isPlain(option.label) && option.isChecked === undefined && !needsText(option, options),
    )
  )
}
