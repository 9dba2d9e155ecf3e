/** Which rule of a person's allows a dialog to be answered. Pure: what is asked, the rules, and how often each was used. */
import type { Instant, WaitingFor } from '../../core/state.ts'
import type { AcceptRule } from './accept-fields.ts'

export type AskedDialog = {
  readonly agent: string
  readonly for: WaitingFor
  readonly tool?: string
  /** All that is asked for: the command, the file; nothing is left out. */
  readonly about?: string
  readonly folder?: string
  /** Nobody but its screen tells of it, and that may not show all of it. */
  readonly isCut?: true
}

/** How often each rule was used, by its place in the list. */
export type Uses = Readonly<Record<number, number>>

export type Accepted = { readonly rule: number; readonly choose: string } | { readonly refused: string }

/** A fact that is longer was cut: of what is not seen nothing is accepted. */
const longestAbout = 1000

/**
 * @param begun when the rules began to count
 */
export function acceptedBy(
  rules: readonly AcceptRule[],
  asked: AskedDialog,
  uses: Uses,
  begun: Instant,
  now: Instant,
): Accepted {
  if (asked.isCut) return { refused: 'its screen may not show all that it asks for' }
  for (const [at, rule] of rules.entries()) {
    if (!isMeant(rule, asked)) continue
    if (rule.times !== undefined && (uses[at] ?? 0) >= rule.times) continue
    if (rule.within !== undefined && now > begun + rule.within) continue
    return { rule: at, choose: rule.choose }
  }
  return { refused: 'no rule allows it' }
}

function isMeant(rule: AcceptRule, { agent, for: kind, tool, about, folder }: AskedDialog): boolean {
  if (rule.for !== kind) return false
  if (rule.agent !== undefined && rule.agent !== agent) return false
  if (rule.tool !== undefined && rule.tool !== tool) return false
  if (rule.folder !== undefined && !isWithin(folder, rule.folder)) return false
  if (!rule.pattern) return kind === 'plan' || kind === 'trust'
  return about !== undefined && about.length < longestAbout && rule.pattern.test(about)
}

/** The folder itself, or below it; both are whole paths. */
const isWithin = (folder: string | undefined, wanted: string): boolean =>
  folder !== undefined && `${folder}/`.startsWith(wanted.endsWith('/') ? wanted : `${wanted}/`)
