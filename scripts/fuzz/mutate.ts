/** Real texts, broken: in the values of their JSON, in their characters, or by being mixed. */
import fc from 'fast-check'

/** Placeholders for text that JSON can't make from a value: nesting that would end any recursion. */
const deepArray = '\u0000deep array'
const deepObject = '\u0000deep object'
const deep = 20_000

const odd: readonly unknown[] = [
  null,
  true,
  false,
  0,
  -0,
  -1,
  1.5,
  1e308,
  -1e308,
  1e-320,
  2 ** 53,
  1795339547788,
  8.64e15,
  9e15,
  '',
  ' ',
  '\0',
  '\ud800',
  '\u2028',
  '\u2029',
  '\u0085',
  '\u202e',
  '__proto__',
  'constructor',
  'toString',
  'hasOwnProperty',
  '*',
  'main',
  'queue',
  'bg:*',
  'ask:main:*',
  'x'.repeat(100_000),
  '9'.repeat(400),
  'a\n'.repeat(5000),
  '\u001b[31m'.repeat(2000),
  '\u001b]0;'.repeat(2000),
  '\u001b]7501;state=idle:app=claude-code\u0007',
  '```\n'.repeat(2000),
  '<'.repeat(20_000),
  '{{ '.repeat(5000),
  '<!--'.repeat(5000),
  '?',
  '2026-13-45T99:99:99Z',
  '0000-00-00',
  '+275760-09-13T00:00:00.000Z',
  [],
  {},
  [[]],
  [null],
  [{}],
  { toString: 1 },
  { toString: 1, valueOf: 1 },
  { length: 1e9 },
  { length: { toString: 1 } },
  { toJSON: 1 },
  { constructor: { prototype: 1 } },
  '<task-notification>\n<task-id>x</task-id>',
  '[Request interrupted by user]',
  deepArray,
  deepObject,
  Array.from({ length: 5000 }, (_, i) => i),
  Array.from({ length: 2000 }, () => ({ type: 'text', text: 'x' })),
  Object.fromEntries(Array.from({ length: 2000 }, (_, i) => [`k${i}`, i])),
]

const names = ['__proto__', 'constructor', 'toString', 'type', 'id', 'session_id', 'event', 'timestamp', '']

const how = [
  'replace',
  'replace',
  'replace',
  'drop',
  'rename',
  'wrap',
  'swap',
  'insert',
  'insert',
  'cut',
  'repeat',
] as const

export type Edit = { readonly how: (typeof how)[number]; readonly at: number; readonly with: number }

/** A few edits; none at all now and then, since what is right has to pass as well. */
export const edits = (most = 6): fc.Arbitrary<readonly Edit[]> =>
  fc.array(fc.record({ how: fc.constantFrom(...how), at: fc.nat(1_000_000), with: fc.nat(1_000_000) }), {
    maxLength: most,
  })

const pick = <T>(all: readonly T[], at: number): T => all[at % all.length] as T

/** A text with these edits: of its JSON where it is some that can be walked over, else of its characters. */
export function mutated(text: string, all: readonly Edit[]): string {
  const inText = (edit: Edit): boolean => /insert|cut|repeat/.test(edit.how)
  try {
    const root = { value: JSON.parse(text) as unknown }
    for (const edit of all) if (!inText(edit)) mutateValue(root, edit)
    return all.filter(inText).reduce(mutateText, written(root.value))
  } catch {
    return all.reduce(mutateText, text)
  }
}

const written = (value: unknown): string =>
  (JSON.stringify(value) ?? 'null')
    .replaceAll(JSON.stringify(deepArray), '['.repeat(deep) + ']'.repeat(deep))
    .replaceAll(JSON.stringify(deepObject), `${'{"a":'.repeat(deep)}1${'}'.repeat(deep)}`)

type Slot = { readonly of: Record<string, unknown>; readonly name: string }

function slotsOf(root: { value: unknown }): Slot[] {
  const slots: Slot[] = [{ of: root, name: 'value' }]
  for (let at = 0; at < slots.length && slots.length < 3000; at++) {
    const { of, name } = slots[at] as Slot
    const value = of[name]
    if (typeof value !== 'object' || value === null) continue
    for (const inner of Object.keys(value).slice(0, 200))
      slots.push({ of: value as Record<string, unknown>, name: inner })
  }
  return slots
}

/** As a parser sets it: `__proto__` becomes a field like any other. */
const set = (of: object, name: string, value: unknown): unknown =>
  Object.defineProperty(of, name, { value, enumerable: true, configurable: true, writable: true })

function mutateValue(root: { value: unknown }, { how: what, at, with: other }: Edit): void {
  const slots = slotsOf(root)
  const { of, name } = pick(slots, at)
  const value = of[name]
  switch (what) {
    case 'drop':
      if (Array.isArray(of)) of.splice(Number(name), 1)
      else delete of[name]
      break
    case 'rename':
      if (!Array.isArray(of)) set(of, pick(names, other), value)
      break
    case 'wrap':
      set(of, name, other % 2 === 0 ? [value] : { [pick(names, other)]: value })
      break
    case 'swap': {
      // What a part holds goes into it only as a copy, so that no circle comes of it.
      const { of: there, name: at } = pick(slots, other)
      set(of, name, structuredClone(there[at]))
      break
    }
    default:
      set(of, name, structuredClone(pick(odd, other)))
  }
}

const texts = [
  ...odd.filter((value): value is string => typeof value === 'string' && !value.startsWith('\0deep')),
  '\n',
  '\r\n',
  '"',
  '\\',
  '{',
  '[',
  '[[[[',
  ']',
  '}',
  ':',
  '---\n',
  '*a',
  '&a',
  '\u001b[?2004h',
  '\u001b[?1049h',
  '\u001bP',
  '\u0007',
  '\ud83d',
  '💥',
  '[{'.repeat(10_000),
  '- '.repeat(10_000),
  '/*',
]

function mutateText(text: string, { how: what, at, with: other }: Edit): string {
  const from = at % (text.length + 1)
  switch (what) {
    case 'cut':
      return text.slice(0, from) + text.slice(from + (other % 50))
    case 'repeat':
      return text.slice(0, from) + text.slice(from, from + 200).repeat(other % 40) + text.slice(from)
    case 'drop':
      return text.slice(0, from)
    default:
      return text.slice(0, from) + pick(texts, other) + text.slice(from)
  }
}

export type Broken<S> = { readonly sample: S; readonly text: string }

/** One of these samples, broken. */
export const broken = <S extends { readonly text: string }>(
  all: readonly S[],
  most?: number,
): fc.Arbitrary<Broken<S>> =>
  fc.tuple(fc.nat(1_000_000), edits(most)).map(([at, changes]) => {
    const sample = pick(all, at)
    return { sample, text: mutated(sample.text, changes) }
  })
