/** Answers the dialog that an agent shows, where a rule of the person's allows it, and only the one that the rule was asked of. */
import { setTimeout as pause } from 'node:timers/promises'
import { isLullError } from '../../core/lull-error.ts'
import type { Instant } from '../../core/state.ts'
import { withoutBlanks } from '../../core/text/grid.ts'
import { oneLine } from '../../core/text/printable.ts'
import { rowsOfBody, type ShownDialog } from '../../drive/dialog/shown-dialog.ts'
import type { Terminal } from '../../drive/open-terminal.ts'
import type { LiveSession } from '../../sessions/session-source.ts'
import type { Judgement } from '../judge/judge-driver.ts'
import type { AcceptRule } from './accept-fields.ts'
import { type AskedDialog, acceptedBy, type Uses } from './accept-fields.ts'

export type AcceptResult =
  | { readonly is: 'accepted'; readonly rule: number; readonly why: string; readonly text: string }
  | { readonly is: 'left'; readonly why: string }

export type Allowed = {
  readonly rules: readonly AcceptRule[]
  readonly uses: Uses
  /** When the rules began to count. */
  readonly begun: Instant
  readonly now: Instant
}

/**
 * @param look the session as it is now; undefined where there is none any more
 * @param hand keeps it from being pressed once it is aborted
 * @param judgePlan asked about a plan that only the screen shows
 */
export async function acceptDialog(
  { rules, uses, begun, now }: Allowed,
  look: () => Promise<LiveSession | undefined>,
  terminal: Terminal,
  hand: AbortSignal,
  judgePlan?: JudgePlan,
): Promise<AcceptResult> {
  const dialog = await terminal.dialog()
  if (!dialog) return { is: 'left', why: 'its screen shows no dialog that can be answered' }
  // The reported question may come later than the waiting state, and later than the drawn dialog.
  for (const end = performance.now() + reportedMs; ; await pause(againMs)) {
    const session = await look()
    const state = session?.session.verdict.state
    if (!session || state?.kind !== 'waiting') return { is: 'left', why: 'it asks no more' }
    if (hand.aborted) return { is: 'left', why: 'it was called off' }
    // The screen and the agent's report must agree.
    const accepted =
      dialog.for === state.for
        ? acceptedBy(rules, askedBy(session, dialog), uses, begun, now)
        : { refused: `its screen asks for a ${dialog.for}, and it reports a ${state.for}` }
    if ('rule' in accepted) {
      const isPlanReported = session.session.verdict.because[0]?.type === 'news'
      const why = state.for === 'plan' && !isPlanReported ? await whyNoPlan(judgePlan) : undefined
      if (why !== undefined) return { is: 'left', why }
      return hand.aborted ? { is: 'left', why: 'it was called off' } : press(terminal, dialog, accepted, hand)
    }
    if (performance.now() > end)
      return { is: 'left', why: `${accepted.refused}: ${describeAsked(session, dialog)}` }
  }
}

type JudgePlan = () => Promise<Judgement<'plan'> | undefined> | undefined

async function whyNoPlan(judgePlan: JudgePlan | undefined): Promise<string | undefined> {
  if (!judgePlan) return undefined
  const judgement = await judgePlan()
  if (judgement?.says === 'PLAN') return undefined
  return `the judge sees no plan: ${judgement?.why ?? 'it was called off'}`
}

async function press(
  terminal: Terminal,
  { id, rows }: ShownDialog,
  { rule, choose }: { readonly rule: number; readonly choose: string },
  hand: AbortSignal,
): Promise<AcceptResult> {
  try {
    const { chosen } = await terminal.answer(choose, { dialog: id, signal: hand })
    const why = `rule ${rule + 1} allows it: ${chosen.join(', ')}`
    return { is: 'accepted', rule, why, text: rows.join('\n') }
  } catch (error) {
    if (isLullError(error)) return { is: 'left', why: error.message }
    throw error
  }
}

const reportedMs = 2000
const againMs = 100

/** The text that patterns were matched against, for a person who wants to know why a rule did not match. */
function describeAsked(session: LiveSession, dialog: ShownDialog): string {
  const { tool, about } = askedBy(session, dialog)
  const by =
    !dialog.asked && session.session.facts.question === undefined
      ? ' (of its screen: no hook reported what it asks for)'
      : ''
  if (about === undefined) return 'what it reports is not on its screen'
  return `${tool === undefined ? '' : `${tool} `}“${oneLine(about, longestAsked)}”${by}`
}

const longestAsked = 100

/** @returns without `about` where the reported text is not on the screen, so that no pattern allows it */
function askedBy(live: LiveSession, dialog: ShownDialog): AskedDialog {
  const { agent, cwd } = live
  // What answers the hook answers this report, and no other.
  if (dialog.asked) {
    const { tool, about } = dialog.asked
    return { agent, for: dialog.for, tool, about, ...(cwd === undefined ? {} : { folder: cwd }) }
  }
  const { question, tool } = live.session.facts
  const about = question ?? bodyOf(dialog)
  const isShown = withoutBlanks(dialog.rows.join('')).includes(withoutBlanks(about).slice(0, longestShown))
  return {
    agent,
    for: dialog.for,
    ...(tool === undefined ? {} : { tool }),
    ...(isShown ? { about } : {}),
    ...(cwd === undefined ? {} : { folder: cwd }),
    ...(dialog.whole !== 'yes' && !isReported(live, dialog) ? { isCut: true } : {}),
  }
}

/** Whether a hook reported what it asks for; of a plan, that it is one. */
const isReported = ({ session: { facts, verdict } }: LiveSession, dialog: ShownDialog): boolean =>
  dialog.for === 'plan' ? verdict.because[0]?.type === 'news' : facts.question !== undefined

/** The screen may cut a long command: only its beginning must match. */
const longestShown = 60

/** Without a report: all rows above the options. */
const bodyOf = (dialog: ShownDialog): string =>
  rowsOfBody(dialog)
    .map(row => row.trim())
    .filter(row => row !== '')
    .join('\n')
