/**
 * Adds to and takes from a JSON text so that taking gives back what was there before adding, byte for byte.
 *
 * An empty container that was there before we came and one that we made look alike once they hold something of ours. So
 * the first thing in one that was there is glued to its bracket, and in one of ours it is apart: taking out the
 * last thing of ours then leaves the one and removes the other.
 */
import type { Node } from 'jsonc-parser'
import type { Style } from './json-text.ts'

type Splice = { readonly from: number; readonly to: number; readonly text?: string }

/** Splices of one text, that don't overlap, made at once. */
export function splice(text: string, splices: readonly Splice[]): string {
  let result = text
  for (const { from, to, text: put = '' } of [...splices].sort((a, b) => b.from - a.from)) {
    result = result.slice(0, from) + put + result.slice(to)
  }
  return result
}

const endOf = (node: Node): number => node.offset + node.length

/** A value in the author's style, at a depth of so many containers. */
export function show(value: unknown, { eol, indent, isOneLine }: Style, depth: number): string {
  if (isOneLine) return JSON.stringify(value, null, 1).replace(/\n */g, ' ')
  return JSON.stringify(value, null, indent).replaceAll('\n', eol + indent.repeat(depth))
}

/** Adds an element, or a member where it has a name, behind all others. `depth` is the container's own. */
export function append(
  text: string,
  container: Node,
  depth: number,
  child: { readonly name?: string; readonly value: unknown },
  style: Style,
): string {
  const name = child.name === undefined ? '' : `${JSON.stringify(child.name)}: `
  const shown = name + show(child.value, style, depth + 1)
  const last = container.children?.at(-1)
  if (!last) {
    const inside = container.offset + 1
    return splice(text, [{ from: inside, to: inside, text: shown + closingGap(style, depth) }])
  }
  const gap = style.isOneLine ? ' ' : style.eol + style.indent.repeat(depth + 1)
  const { comma, end } = afterChild(text, last, endOf(container) - 1)
  if (comma !== undefined) return splice(text, [{ from: end, to: end, text: `${gap}${shown},` }])
  if (end === endOf(last)) return splice(text, [{ from: end, to: end, text: `,${gap}${shown}` }])
  return splice(text, [
    { from: endOf(last), to: endOf(last), text: ',' },
    { from: end, to: end, text: gap + shown },
  ])
}

const closingGap = ({ isOneLine, eol, indent }: Style, depth: number): string =>
  isOneLine ? '' : eol + indent.repeat(depth)

/** All that may stand between two values: a comma, comments, space. */
const between = /,|\/\/[^\r\n]*|\/\*[\s\S]*?\*\/|\s+/y

/** The comma behind a child, and where its comments end. */
function afterChild(text: string, child: Node, limit: number): { comma?: number; end: number } {
  let comma: number | undefined
  let end = endOf(child)
  for (let at = end; at < limit; ) {
    between.lastIndex = at
    const token = between.exec(text)?.[0]
    if (token === undefined) break
    if (token === ',') comma = at
    at += token.length
    if (token.trim() !== '') end = at
  }
  return comma === undefined ? { end } : { comma, end }
}

/** True for the only child of a container that we made: it goes with it. */
export const isAllOfOurs = (text: string, container: Node, child: Node): boolean =>
  container.children?.length === 1 &&
  /\s/.test(text[container.offset + 1] ?? '') &&
  !isGlued(container, child)

const isGlued = (container: Node, child: Node): boolean => child.offset === container.offset + 1

/** Takes a child out, with the space and the comma that came with it. */
export function remove(text: string, container: Node, depth: number, child: Node, style: Style): string {
  const children = container.children ?? []
  const index = children.indexOf(child)
  const previous = children[index - 1]
  const next = children[index + 1]
  if (!previous && !next && isGlued(container, child)) {
    const gap = closingGap(style, depth)
    const end = endOf(child) + (text.startsWith(gap, endOf(child)) ? gap.length : 0)
    return splice(text, [{ from: child.offset, to: end }])
  }
  const from = text.slice(0, child.offset).trimEnd().length
  const ours = { from: Math.max(from, container.offset + 1), to: endOf(child) }
  const behind = commaBehind(text, child, next?.offset ?? endOf(container) - 1)
  const before = previous && commaBehind(text, previous, child.offset)
  const comma = behind ?? before
  return splice(text, comma === undefined ? [ours] : [ours, { from: comma, to: comma + 1 }])
}

const commaBehind = (text: string, child: Node, limit: number): number | undefined =>
  afterChild(text, child, limit).comma
