/** Reads a screen by an agent's rules and the shared ones, with the reasons for `explain`. Pure. */

import type { State } from '../../core/state.ts'
import type { Grid } from '../../core/text/grid.ts'
import { bottomRules, dialogRules, idleRules, perhapsRules, workRules } from './common-rules.ts'
import { liveRows } from './live-rows.ts'
import { layoutOf, type ScreenLayout, type ScreenPart } from './screen-layout.ts'
import type { Option } from './screen-rows.ts'
import type { ScreenRule, ScreenRules } from './screen-rule.ts'

export type ScreenView = {
  readonly grid: Pick<Grid, 'rows'>
  readonly title?: string
}

/** A rule, and the row that it matched. */
export type Match = { readonly rule: ScreenRule; readonly row: string }

export type ScreenReading = {
  readonly state: State
  /** 0 to 1. */
  readonly confidence: number
  readonly match?: Match
  /** A person has opened it: it blocks no turn. */
  readonly isMenu?: true
  readonly options?: readonly Option[]
  readonly layout: ScreenLayout
  /** Rules that match but do not count: `unless` matches too, or an earlier rule decided. */
  readonly nearMisses: readonly Match[]
}

const usual = 0.95
/** Of rules that nobody has checked where the agent runs. */
const unchecked = 0.6

/** An agent without rules: no part of its screen shows idleness. */
export const noRules: ScreenRules = { rules: [], hidesWork: true }

export function readScreen(
  { rules: own, hidesWork, turnOver, without, unverified }: ScreenRules,
  { grid, title }: ScreenView,
): ScreenReading {
  const layout = layoutOf(grid)
  const isFirst = ({ part, isMenu }: ScreenRule) => part === 'dialog' || isMenu === true
  const all = [
    ...own.filter(isFirst),
    ...dialogRules,
    ...own.filter(rule => !isFirst(rule)),
    ...bottomRules,
    ...workRules,
    ...(hidesWork ? [] : idleRules),
  ]
  const rules = [...new Set(all)].filter(rule => own.includes(rule) || !without?.has(rule.id))
  const nearMisses: Match[] = []
  let found: Match | undefined
  for (const rule of rules) {
    const rows = rowsOf(layout, rule.part, { title, turnOver })
    const row = rows.find(one => rule.pattern.test(one))
    if (row === undefined) continue
    const isRefuted = rule.unless !== undefined && rows.some(one => rule.unless?.test(one))
    if (found || isRefuted || isAbove(rule, layout)) nearMisses.push({ rule, row })
    else found = { rule, row }
  }
  if (found?.rule.id === 'composer') {
    const doubt = perhapsWork(layout, turnOver, without)
    if (doubt) nearMisses.push(doubt)
    // Nothing is seen of where work would show.
    const isHidden = layout.isCut && own.some(showsInFooter)
    if (doubt || isHidden || layout.isCovered || layout.recent.length === 0) found = undefined
  }
  const known = { layout, nearMisses, ...(layout.dialog ? { options: layout.dialog.options } : {}) }
  const working = found?.rule.isMenu && nearMisses.find(({ rule }) => isAbove(rule, layout))
  if (working) found = working
  if (!found) return { state: { kind: 'unknown' }, confidence: 0, ...known }
  const { state, isMenu, confidence: claimed = usual } = found.rule
  const confidence = unverified === undefined ? claimed : Math.min(claimed, unchecked)
  return { state, confidence, match: found, ...(isMenu ? { isMenu } : {}), ...known }
}

/** Work of a turn shows below the composer in this CLI. */
const showsInFooter = ({ part, state }: ScreenRule): boolean =>
  part === 'footer' && state.kind === 'working' && state.doing === undefined

/**
 * A spinner some rows further up: of a turn that goes on below it, or in a text. A count that a person may have written. None
 * before the row of a turn's end.
 */
function perhapsWork(
  layout: ScreenLayout,
  turnOver: RegExp | undefined,
  without?: ReadonlySet<string>,
): Match | undefined {
  const recent = liveRows(layout.recent, turnOver).filter(row => !isSent(row) && !turnOver?.test(row))
  const above = workRules.filter(({ part }) => part === 'activity').map(rule => ({ rule, rows: recent }))
  const perhaps = perhapsRules.map(rule => ({
    rule,
    rows: rowsOf(layout, rule.part, { title: undefined, turnOver }),
  }))
  for (const { rule, rows } of [...above, ...perhaps]) {
    const row = without?.has(rule.id) ? undefined : rows.find(one => rule.pattern.test(one))
    if (row !== undefined) return { rule, row }
  }
  return undefined
}

/** A prompt that a person has sent, whatever it quotes. */
const isSent = (row: string): boolean => /^[\s│┃|]*[❯›>] /u.test(row)

/** A row above a dialog shows the turn that the dialog stops. A menu stops no turn. */
const isAbove = ({ part }: ScreenRule, { dialog }: ScreenLayout): boolean =>
  part === 'activity' && dialog !== undefined

function rowsOf(
  layout: ScreenLayout,
  part: ScreenPart,
  { title, turnOver }: { readonly title: string | undefined; readonly turnOver: RegExp | undefined },
): readonly string[] {
  switch (part) {
    case 'activity':
      return liveRows(layout.activity, turnOver).filter(row => !isSent(row))
    case 'title':
      return title === undefined ? [] : [title]
    case 'dialog':
      return layout.dialog?.rows ?? []
    case 'composer':
      return layout.composer ?? []
    case 'last':
      return layout.bottom.slice(-1)
    default:
      return layout[part]
  }
}
