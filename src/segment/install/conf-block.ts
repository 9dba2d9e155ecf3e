/** lull's lines in a tmux.conf: a block of their own at its end. All other bytes stay as they are, and taking it out gives them back. Pure. */
import { leftAsItIs } from '../../hooks/install/install-error.ts'
import { pushOption, shownFormat } from '../step/push-step.ts'

const begin = '# lull: begin'
/** The text before had no end of its last line: one was made. */
const joined = `${begin}, joined`
const end = '# lull: end'
const hint = '(lull tmux uninstall takes this out)'

/** tmux cuts what is longer, from its right: 40 hold no more than its own. */
const widest = 80

/** @param binding a line that binds a key */
const linesFor = (binding: string | undefined): readonly string[] => [
  `set -g ${pushOption} on`,
  `if -F '#{e|<:#{status-right-length},${widest}}' 'set -g status-right-length ${widest}'`,
  // Read again, it is not put there again; nor where the person has put it where they want it.
  `if -F '#{m:*@lull*,#{status-right}}' '' 'set -ga status-right " ${shownFormat}"'`,
  ...(binding === undefined ? [] : [binding]),
]

/** Lines as any version has written them. */
const ours: readonly RegExp[] = [
  /^set -g @lull-push on$/,
  /^if -F '#\{e\|<:#\{status-right-length\},\d+\}' 'set -g status-right-length \d+'$/,
  /^if -F '#\{m:\*@lull\*,#\{status-right\}\}' '' 'set -ga status-right "[^"]*"'$/,
  /^bind-key "[^"]+" run-shell "[^"]+ go"$/,
]

type Found = {
  readonly before: string
  readonly after: string
  readonly isJoined: boolean
  readonly lines: readonly string[]
}

/**
 * @param binding the one that is there already is kept where none is given
 * @throws {LullError} INSTALL_REFUSED where a block of lull's was changed by hand
 */
export function withBlock(text: string | undefined, file: string, binding?: string): string {
  const found = text === undefined ? undefined : findBlock(text, file)
  const kept = found?.lines.find(line => line.startsWith('bind-key '))
  const lines = linesFor(binding ?? kept)
  if (found) return found.before + blockOf(lines, found.isJoined) + found.after
  const isJoined = text !== undefined && text !== '' && !text.endsWith('\n')
  // A blank line ends a line that goes on (`\`), too.
  const gap = text === undefined ? '' : isJoined ? '\n\n' : '\n'
  return (text ?? '') + gap + blockOf(lines, isJoined)
}

/** @returns undefined for a file that lull has made. @throws {LullError} INSTALL_REFUSED */
export function withoutBlock(text: string, file: string): string | undefined {
  const found = findBlock(text, file)
  if (!found) return text
  const { before, after, isJoined } = found
  if (before === '' && after === '') return undefined
  const gap = isJoined ? '\n\n' : '\n'
  return (before.endsWith(gap) ? before.slice(0, -gap.length) : before) + after
}

const blockOf = (lines: readonly string[], isJoined: boolean): string =>
  `${[`${isJoined ? joined : begin} ${hint}`, ...lines, end].join('\n')}\n`

function findBlock(text: string, file: string): Found | undefined {
  const rows = text.split('\n')
  const [begins, ends] = [begin, end].map(mark =>
    rows.flatMap((row, at) => (row.startsWith(mark) ? [at] : [])),
  ) as [number[], number[]]
  const [from, to] = [begins[0], ends[0]]
  if (from === undefined && to === undefined) return undefined
  if (from === undefined || to === undefined || begins.length > 1 || ends.length > 1 || to < from)
    throw byHand(`${file}:${(from ?? to ?? 0) + 1}`)
  const lines = rows.slice(from + 1, to)
  const strange = lines.findIndex(line => !ours.some(known => known.test(line)))
  if (strange >= 0) throw byHand(`${file}:${from + strange + 2}`)
  const startOf = (row: number): number => rows.slice(0, row).join('\n').length + (row > 0 ? 1 : 0)
  return {
    before: text.slice(0, startOf(from)),
    after: text.slice(startOf(to) + (rows[to]?.length ?? 0) + 1),
    isJoined: rows[from]?.startsWith(joined) === true,
    lines,
  }
}

const byHand = (where: string) =>
  leftAsItIs(`${where}: lull's lines were changed by hand: take out what stands from "${begin}" to "${end}"`)
