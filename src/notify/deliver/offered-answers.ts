/** The links that a message carries: to its session on the page; for each option of a dialog one of one use, and a page that shows it whole. Pure. */
import { escapedMarkup } from '../../core/text/markup.ts'
import { runsRightToLeft } from '../../core/text/plain-line.ts'
import type { Outgoing } from '../step/compose-step.ts'

export type OfferedAnswers = {
  /** What it asks about, whole. */
  readonly shows: readonly string[]
  /** Below the address of the host: shows the dialog, with a button for each option. */
  readonly page: string
  /** A POST there chooses it, once. */
  readonly options: readonly { readonly label: string; readonly path: string }[]
}

/**
 * @param session its id
 * @param by the destination that the message goes to, for the history
 * @returns undefined where nothing can be answered so
 */
export type OfferAnswers = (session: string, by: string) => Promise<OfferedAnswers | undefined>

/** ntfy shows so many buttons, and a message of 4,096 bytes; Slack's texts may be longer. */
const mostButtons = 3
const longestShown = 3000

const textOf = ({ shows }: OfferedAnswers): string => shows.join('\n')

/**
 * What a person has not seen whole, or in another order than it is, gets no button: only the page, which shows all of it, and each
 * letter where it stands. No message can keep letters of both directions in order.
 */
const fits = (answers: OfferedAnswers): boolean =>
  new TextEncoder().encode(textOf(answers)).length <= longestShown &&
  ![textOf(answers), ...answers.options.map(({ label }) => label)].some(runsRightToLeft)

/** The fields of a message to ntfy (docs.ntfy.sh/publish, action buttons). */
export function ntfyAnswers(answers: OfferedAnswers, at: string, text: string): object {
  const page = { action: 'view', label: 'Show', url: at + answers.page }
  if (!fits(answers)) return { actions: [page] }
  const buttons = answers.options.map(({ label, path }) => {
    return { action: 'http', label, url: at + path, method: 'POST', clear: true }
  })
  const actions = buttons.length <= mostButtons ? buttons : [page]
  return { message: `${textOf(answers)}\n\n${text}`, actions }
}

/** A link of Slack is opened by what looks at links: it leads to the page, which answers nothing by itself. */
export const slackAnswers = (answers: OfferedAnswers, at: string): string =>
  [
    ...(fits(answers) ? ['', '```', escapedMarkup(textOf(answers)).replaceAll('`', 'ʹ'), '```'] : ['']),
    `<${at}${answers.page}|Answer>`,
  ].join('\n')

/** As data, with whole addresses. */
export const jsonAnswers = (answers: OfferedAnswers, at: string): object => ({
  answers: {
    shows: answers.shows,
    page: at + answers.page,
    options: answers.options.map(({ label, path }) => ({ label, url: at + path })),
  },
})

/**
 * Where a tap on a message leads: the page of lull serve, at the session that the message is of; at all of them where it is of
 * several. It opens nothing to a browser that has no token. Undefined for a message that is withdrawn.
 */
export function openedBy({ sessions, withdrawn }: Outgoing, at: string): string | undefined {
  if (withdrawn) return undefined
  const [one, ...others] = sessions
  return one && others.length === 0 ? `${at}/#/s/${encodeURIComponent(one.id)}` : `${at}/`
}

/** The session that a message asks to answer; undefined where it is of several, or of something else. */
export function askingIn({ sessions, withdrawn }: Outgoing): string | undefined {
  const [one, ...others] = sessions
  return !withdrawn && others.length === 0 && one?.is === 'waiting' ? one.id : undefined
}
