/**
 * Carries what another program changed in one version of a settings file over to a later one that does not know of it.
 * Needed where somebody wrote into the file that lull was just putting aside, and somebody else went on from what lull
 * had put there. Values only: comments that came with such a change are not carried.
 */
import { applyEdits, type JSONPath, modify, parse } from 'jsonc-parser'
import { isRecord } from '../../core/trace/trace.ts'
import { attempt } from '../../os/attempt.ts'
import { isSame, styleOf, treeOf } from './json-text.ts'

type Change =
  | { readonly at: JSONPath; readonly kind: 'set'; readonly from: unknown; readonly to: unknown }
  | { readonly at: JSONPath; readonly kind: 'added' | 'dropped'; readonly item: unknown }

/** What changed from one value to the other: members by name, elements by their value. */
function changes(from: unknown, to: unknown, at: JSONPath): Change[] {
  if (isSame(from, to)) return []
  if (Array.isArray(from) && Array.isArray(to)) {
    const isMissingFrom = (list: readonly unknown[]) => (item: unknown) =>
      !list.some(other => isSame(item, other))
    return [
      ...from.filter(isMissingFrom(to)).map(item => ({ at, kind: 'dropped' as const, item })),
      ...to.filter(isMissingFrom(from)).map(item => ({ at, kind: 'added' as const, item })),
    ]
  }
  if (!isRecord(from) || !isRecord(to) || Array.isArray(from) || Array.isArray(to)) {
    return [{ at, kind: 'set', from, to }]
  }
  const names = new Set([...Object.keys(from), ...Object.keys(to)])
  return [...names].flatMap(name => {
    const [was, is] = [own(from, name), own(to, name)]
    return changes(was, is, [...at, name])
  })
}

const own = (record: Record<string, unknown>, name: string): unknown =>
  Object.hasOwn(record, name) ? record[name] : undefined

function valueAt(value: unknown, at: JSONPath): unknown {
  let found = value
  for (const name of at) found = isRecord(found) ? own(found, String(name)) : undefined
  return found
}

/**
 * `text` with the changes that lead from `base` to `theirs`. Where `text` changed the same value itself, it is the
 * newer, and stays.
 * @throws {LullError} INSTALL_REFUSED where one of the texts is malformed
 */
export function mergeEdit(base: string, theirs: string, text: string, file: string): string {
  for (const each of [base, theirs]) treeOf(each, file)
  let result = text
  for (const change of changes(parse(base), parse(theirs), [])) result = applyChange(change, result, file)
  return result
}

function applyChange(change: Change, text: string, file: string): string {
  const { eol, indent } = styleOf(text, treeOf(text, file))
  const formattingOptions = { eol, insertSpaces: indent[0] !== '\t', tabSize: indent.length }
  // Where a name stands twice, the place that the library would edit may be of another kind than the value read there.
  const edit = (at: JSONPath, value: unknown, isArrayInsertion = false) =>
    attempt(() => applyEdits(text, modify(text, at, value, { formattingOptions, isArrayInsertion }))) ?? text
  const now = valueAt(parse(text), change.at)
  switch (change.kind) {
    case 'set':
      return isSame(now, change.from) ? edit(change.at, change.to) : text
    case 'added':
      if (!Array.isArray(now) || now.some(item => isSame(item, change.item))) return text
      return edit([...change.at, now.length], change.item, true)
    case 'dropped': {
      const index = Array.isArray(now) ? now.findIndex(item => isSame(item, change.item)) : -1
      return index < 0 ? text : edit([...change.at, index], undefined)
    }
  }
}
