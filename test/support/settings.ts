/** Settings files as people and programs write them: any spacing, comments, trailing commas, with and without hooks. */
import fc from 'fast-check'

const userGroup = fc.record({
  matcher: fc.constantFrom('Bash', '*', ''),
  hooks: fc.array(
    fc.record({ type: fc.constant('command'), command: fc.constantFrom('echo hi', 'say "done"') }),
    {
      maxLength: 2,
    },
  ),
})

const userHooks = fc.dictionary(
  fc.constantFrom('Stop', 'PreToolUse', 'Notification', 'TheirOwn'),
  fc.array(userGroup, { maxLength: 2 }),
  { maxKeys: 3 },
)

const name = fc
  .string({ maxLength: 6, unit: 'binary' })
  .filter(text => text !== 'hooks' && text !== '__proto__')

/** What a settings file holds. */
const settingsValue = fc
  .tuple(
    fc.dictionary(name, fc.jsonValue({ maxDepth: 2 }), { maxKeys: 4 }),
    fc.option(userHooks, { nil: undefined }),
    fc.boolean(),
  )
  .map(([rest, hooks, isFirst]) => {
    if (hooks === undefined) return rest
    return isFirst ? { hooks, ...rest } : { ...rest, hooks }
  })

type Layout = 'pretty' | 'tabs' | 'oneLine' | 'tight' | 'wild'

/** A settings file, as text. */
export const settingsText = fc
  .tuple(
    settingsValue,
    fc.constantFrom<Layout>('pretty', 'tabs', 'oneLine', 'tight', 'wild'),
    fc.constantFrom('\n', '\r\n'),
    fc.constantFrom('', '\n', '\n\n', ' '),
    fc.infiniteStream(fc.nat(11)),
  )
  .map(([value, layout, eol, end, dice]) => {
    const text = written(value, layout, () => dice.next().value)
    return (text + end).replaceAll('\n', eol)
  })

function written(value: unknown, layout: Layout, roll: () => number): string {
  switch (layout) {
    case 'pretty':
      return JSON.stringify(value, null, 2)
    case 'tabs':
      return JSON.stringify(value, null, '\t')
    case 'oneLine':
      return JSON.stringify(value, null, 1).replace(/\n */g, ' ')
    case 'tight':
      return JSON.stringify(value)
    case 'wild':
      return space(roll()) + wild(value, roll) + space(roll())
  }
}

const spaces = ['', '', ' ', '\n', '\n  ', '\t', '  ', '\n\n', ' // note\n', '/* a */', ' /* b\n */ ', '']
const space = (roll: number): string => spaces[roll] ?? ''

/** Any space and comments between any two tokens, trailing commas now and then. */
function wild(value: unknown, roll: () => number): string {
  const gap = () => space(roll())
  const trailing = (count: number) => (count > 0 && roll() > 8 ? `,${gap()}` : '')
  if (Array.isArray(value)) {
    const items = value.map(item => `${gap()}${wild(item, roll)}${gap()}`)
    return `[${items.join(',') || gap()}${trailing(items.length)}]`
  }
  if (value !== null && typeof value === 'object') {
    const members = Object.entries(value).map(
      ([key, item]) => `${gap()}${JSON.stringify(key)}${gap()}:${gap()}${wild(item, roll)}${gap()}`,
    )
    return `{${members.join(',') || gap()}${trailing(members.length)}}`
  }
  return JSON.stringify(value)
}
