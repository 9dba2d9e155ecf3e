/** Answers the dialog that an agent shows, where a rule of the person's allows it, and only the one that the rule was asked of. */
import { setTimeout as pause } from 'node:timers/promises'
import { isLullError } from '../../core/lull-error.ts'
import type { Instant } from '../../core/state.ts'
import type { ShownDialog } from '../../drive/dialog/shown-dialog.ts'
import type { Terminal } from '../../drive/open-terminal.ts'
import type { LiveSession } from '../../sessions/session-source.ts'
import type { AcceptRule } from './accept-fields.ts'
import { type AskedDialog, acceptedBy, type Uses } from './accept-step.ts'

export type AcceptResult =
  | { readonly is: 'accepted'; readonly rule: number; readonly why: string; readonly text: string }
  | { readonly is: 'left'; readonly why: string }

/** @param hand keeps it from being pressed once it is aborted */
export async function acceptDialog(
  rules: readonly AcceptRule[],
  uses: Uses,
  times: { readonly begun: Instant; readonly now: Instant },
  session: LiveSession,
  terminal: Terminal,
  hand: AbortSignal,
): Promise<AcceptResult> {
  const { state } = session.session.verdict
  if (state.kind !== 'waiting') return { is: 'left', why: 'it asks no more' }
  const dialog = await drawn(terminal, hand)
  if (!dialog) return { is: 'left', why: 'its screen shows no dialog that can be answered' }
  // What the screen shows and what the agent tells must be one thing.
  if (dialog.for !== state.for)
    return { is: 'left', why: `its screen asks for a ${dialog.for}, and it tells of a ${state.for}` }
  const asked = askedBy(session, dialog)
  const accepted = acceptedBy(rules, asked, uses, times.begun, times.now)
  if ('refused' in accepted) return { is: 'left', why: accepted.refused }
  if (hand.aborted) return { is: 'left', why: 'it was called off' }
  try {
    const { chosen } = await terminal.answer(accepted.choose, { dialog: dialog.id, signal: hand })
    const why = `rule ${accepted.rule + 1} allows it: ${chosen.join(', ')}`
    return { is: 'accepted', rule: accepted.rule, why, text: dialog.rows.join('\n') }
  } catch (error) {
    if (isLullError(error)) return { is: 'left', why: error.message }
    throw error
  }
}

/** The agent tells of it before it is drawn. */
async function drawn(terminal: Terminal, hand: AbortSignal): Promise<ShownDialog | undefined> {
  for (const end = performance.now() + drawnMs; ; await pause(againMs)) {
    const dialog = await terminal.dialog()
    if ((dialog?.options.length ?? 0) > 0 || performance.now() > end || hand.aborted) return dialog
  }
}

const drawnMs = 3000
const againMs = 100

/** @returns without `about` where what the agent tells does not stand on the screen: then no pattern allows it */
function askedBy({ agent, cwd, session: { facts } }: LiveSession, dialog: ShownDialog): AskedDialog {
  const { question, tool } = facts
  const about = question ?? bodyOf(dialog)
  const isShown = squeezed(dialog.rows.join('')).includes(squeezed(about).slice(0, longestShown))
  return {
    agent,
    for: dialog.for,
    ...(tool === undefined ? {} : { tool }),
    ...(isShown ? { about } : {}),
    ...(cwd === undefined ? {} : { folder: cwd }),
  }
}

/** A long command is cut where it is shown: its beginning must stand there. */
const longestShown = 60

/** Where the agent tells nothing of it: all rows above the options. */
function bodyOf({ rows, options }: Pick<ShownDialog, 'rows' | 'options'>): string {
  const [first] = options
  const end = first ? rows.findIndex(row => row.includes(first.label)) : -1
  return rows
    .slice(0, end < 0 ? rows.length : end)
    .map(row => row.trim())
    .filter(row => row !== '')
    .join('\n')
}

const squeezed = (text: string): string => text.replace(/\s/g, '')
