/** Our groups of commands in a settings file: `{hooks: {EVENT: [{hooks: [{type, command}]}]}}`. Pure. */
import { getNodeValue, type Node } from 'jsonc-parser'
import { isOurCommand } from '../hook-command.ts'
import { append, isAllOfOurs, remove, show, splice } from './json-edit.ts'
import { article, doubled, isSame, member, refuse, type Style, styleOf, treeOf } from './json-text.ts'

export type Entries = {
  /** What is to run at each event: the command, and what its entry holds besides. */
  readonly handlers: ReadonlyMap<string, Readonly<Record<string, string | number>>>
  /** What a group holds besides. */
  readonly group: Readonly<Record<string, string>>
}

/** A command of ours, with everything that holds it. */
type Found = {
  readonly event: string
  /** How many of ours stand before it at the same event. */
  readonly nth: number
  readonly handler: Node
  readonly handlers: Node
  readonly group: Node
  readonly groups: Node
  readonly property: Node
}

type Settings = { readonly root: Node; readonly hooks: Node | undefined; readonly style: Style }

/** A file of our own making. */
const plain: Style = { eol: '\n', indent: '  ', isOneLine: false }

/**
 * The text with our entries in place: those that are right stay as they are, older ones are brought up to date where
 * they stand, doubles and those of events that are not wanted go. A missing file is made.
 * @throws {LullError} INSTALL_REFUSED where the file is malformed
 */
export function withEntries(text: string | undefined, file: string, wanted: Entries): string {
  const { handlers } = wanted
  const kept =
    text === undefined ? text : without(text, file, ({ event, nth }) => nth > 0 || !handlers.has(event))
  const groupOf = (handler: object) => ({ ...wanted.group, hooks: [handler] })
  const hooks = Object.fromEntries([...handlers].map(([event, handler]) => [event, [groupOf(handler)]]))
  if (kept === undefined) return `${show({ hooks }, plain, 0)}${plain.eol}`

  const settings = read(kept, file)
  if (!settings.hooks) {
    return append(kept, settings.root, 0, { name: 'hooks', value: hooks }, settings.style)
  }
  let next = kept
  for (const [event, handler] of handlers) next = withEntry(next, file, event, handler, groupOf(handler))
  return next
}

function withEntry(text: string, file: string, event: string, handler: object, group: object): string {
  const { hooks, style, ...settings } = read(text, file)
  if (!hooks) return text
  const ours = foundIn({ ...settings, hooks, style }).find(found => found.event === event)
  if (ours) {
    const { offset, length } = ours.handler
    if (isSame(getNodeValue(ours.handler), handler)) return text
    return splice(text, [{ from: offset, to: offset + length, text: show(handler, style, 5) }])
  }
  const groups = member(hooks, event)
  if (!groups) return append(text, hooks, 1, { name: event, value: [group] }, style)
  if (groups.type !== 'array') {
    refuse(text, file, groups.offset, `has ${article(groups.type)} at hooks.${event}, where a list belongs`)
  }
  return append(text, groups, 2, { value: group }, style)
}

/**
 * The text without our entries, or undefined where nothing else ever stood in the file.
 * @throws {LullError} INSTALL_REFUSED where the file is malformed
 */
export const withoutEntries = (text: string, file: string): string | undefined =>
  without(text, file, () => true)

/** Takes entries of ours out, the last one first: the first may be what its list was made for. */
function without(text: string, file: string, isUnwanted: (found: Found) => boolean): string | undefined {
  let next = text
  for (;;) {
    const settings = read(next, file)
    const last = foundIn(settings).findLast(isUnwanted)
    if (!last || !settings.hooks) return next
    if (isWholeFile(next, settings, last)) return undefined
    next = withoutEntry(next, settings, settings.hooks, last)
  }
}

function withoutEntry(text: string, { root, style }: Settings, hooks: Node, found: Found): string {
  const { handler, handlers, group, groups, property } = found
  if (handlers.children?.length !== 1) return remove(text, handlers, 4, handler, style)
  if (!isAllOfOurs(text, groups, group)) return remove(text, groups, 2, group, style)
  if (!isAllOfOurs(text, hooks, property)) return remove(text, hooks, 1, property, style)
  const all = root.children?.find(child => child.children?.[1] === hooks)
  return all ? remove(text, root, 0, all, style) : text
}

/** A file that lull made and that has nothing else in it. */
function isWholeFile(text: string, { root, hooks }: Settings, { group, groups, property }: Found): boolean {
  const [only] = root.children ?? []
  return (
    hooks !== undefined &&
    only?.children?.[1] === hooks &&
    isAllOfOurs(text, root, only) &&
    isAllOfOurs(text, hooks, property) &&
    isAllOfOurs(text, groups, group) &&
    text.slice(0, root.offset) === '' &&
    text.slice(root.offset + root.length) === plain.eol
  )
}

export type EntryInPlace = {
  readonly event: string
  readonly handler: unknown
  /** Its group of the event, and its place in the group. */
  readonly at: readonly [number, number]
}

/** Our commands in a settings file, in its order. */
export const entriesIn = (text: string, file: string): readonly EntryInPlace[] =>
  foundIn(read(text, file)).map(({ event, handler, handlers, group, groups }) => ({
    event,
    handler: getNodeValue(handler),
    at: [groups.children?.indexOf(group) ?? 0, handlers.children?.indexOf(handler) ?? 0],
  }))

function read(text: string, file: string): Settings {
  const root = treeOf(text, file)
  const twice = doubled(root, name => name === 'hooks')
  if (twice) refuse(text, file, twice.offset, 'has `hooks` twice')
  const hooks = member(root, 'hooks')
  if (hooks && hooks.type !== 'object') {
    refuse(text, file, hooks.offset, `has ${article(hooks.type)} as \`hooks\`, where an object belongs`)
  }
  const eventTwice = hooks && doubled(hooks, () => true)
  if (eventTwice) refuse(text, file, eventTwice.offset, `has hooks.${eventTwice.children?.[0]?.value} twice`)
  return { root, hooks, style: styleOf(text, root) }
}

function foundIn({ hooks }: Settings): Found[] {
  const all: Found[] = []
  for (const property of hooks?.children ?? []) {
    const [name, groups] = property.children ?? []
    if (groups?.type !== 'array') continue
    const event = String(name?.value)
    let nth = 0
    for (const group of groups.children ?? []) {
      const handlers = group.type === 'object' ? member(group, 'hooks') : undefined
      if (handlers?.type !== 'array') continue
      for (const handler of handlers.children ?? []) {
        if (handler.type !== 'object' || !isOurCommand(member(handler, 'command')?.value)) continue
        all.push({ event, nth: nth++, handler, handlers, group, groups, property })
      }
    }
  }
  return all
}
