/** A marker counts wherever its author states it, and never in what is only shown: for any prose around it. */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { findMarker, searchMarker } from '../../src/loop/marker/marker.ts'

const idle = '<!-- ralph:state idle -->'

const word = fc.constantFrom(
  ...'Status: IDLE nothing, to do. CI is green (all of it) → #12 ✅ **bold** _so_ a*b don’t don\'t 5" 3 > 2 Vec<T> 仕事 | - : — 100% [a](https://b.c/?d=e)'.split(
    ' ',
  ),
)
const words = fc.array(word, { minLength: 1, maxLength: 8 }).map(all => `So ${all.join(' ')} so`)
const start = fc.constantFrom('', '- ', '  - ', '1. ', '- [x] ', '## ', '   ')
const line = fc.tuple(start, words).map(parts => parts.join(''))
const prose = fc.array(fc.oneof(line, fc.constant('')), { maxLength: 6 }).map(lines => lines.join('\n'))

/** Any characters but those by which Markdown shows code and quotations. */
const anything = fc
  .string({ unit: 'binary', maxLength: 80 })
  .map(text => text.replace(/[`"'“”„«»‹›「」『』<>\\~…\r]/g, '').replace(/^\s+/gm, ''))

const inPlace = (before: string, own: string, after: string): string =>
  [before, own, after].filter(part => part !== '').join('\n\n')

describe('in prose', () => {
  test('it counts alone on its line, before, behind and between words', () => {
    fc.assert(
      fc.property(
        prose,
        start,
        fc.option(words),
        fc.option(words),
        prose,
        (above, mark, left, right, below) => {
          const own = `${mark}${[left, idle, right].filter(part => part !== null).join(' ')}`
          expect(searchMarker(inPlace(above, own, below))).toEqual({ marker: { name: 'idle' } })
        },
      ),
    )
  })

  test('it counts whatever the words are', () => {
    fc.assert(
      fc.property(anything, anything, (left, right) => {
        expect(findMarker(`So ${left} so ${idle} so ${right}`)?.name).toBe('idle')
      }),
      { numRuns: 300 },
    )
  })

  test('it counts beside code and quotations that are closed', () => {
    const closed = fc.constantFrom('`a`', '``b ` c``', '"so"', '“so”', "'so'", '«so»', '„so“', '<b>so</b>')
    fc.assert(
      fc.property(words, closed, closed, words, (left, one, other, right) => {
        expect(findMarker(`${left} ${one} ${idle} ${other} ${right}`)?.name).toBe('idle')
      }),
    )
  })
})

const plain = fc.array(fc.constantFrom('print', 'it', 'when', 'all', 'is', 'done:'), { maxLength: 4 })
const indented = (text: string): string => text.replace(/^/gm, '    ')
/** Each is given a text of one line with the marker. */
const shown: Readonly<Record<string, (text: string) => string>> = {
  'a span of code': text => `So \`${text}\` so`,
  'a span of two ticks': text => `So \`\`${text}\`\`, so`,
  'a span over two lines': text => `So \`so\n${text}\` so`,
  'a fence': text => `\`\`\`html\n${text}\n\`\`\``,
  'a fence of tildes': text => `~~~\n${text}\n~~~`,
  'a fence in a list': text => `- So\n  \`\`\`\n  ${text}\n  \`\`\``,
  'a fence that is never closed': text => `\`\`\`\n${text}\n`,
  'indented code': text => `So\n\n${indented(text)}`,
  'a block quote': text => `> ${text}`,
  'a block quote in a list': text => `1. > ${text}`,
  'double marks': text => `So "${text}" so`,
  'double marks over paragraphs': text => `So "so\n\n${text}\n\nso" so`,
  'single marks': text => `So '${text}'.`,
  'English marks': text => `So “${text}” so`,
  'German marks': text => `So „${text}“ so`,
  'Chinese marks': text => `输出“${text}”时`,
  'French marks': text => `So « ${text} » so`,
  'marks that point inwards': text => `So »${text}« so`,
  'Swedish marks': text => `So ”${text}” so`,
  'Japanese marks': text => `So「${text}」so`,
  'an element': text => `<example>\n${text}\n</example>`,
  'an element on its line': text => `So <code>${text}</code> so`,
  'another comment': text => `<!-- so ${text} -->`,
}

describe('in what is only shown', () => {
  test.each(Object.entries(shown))('it does not count: %s', (what, wrap) => {
    // What opens and is never closed hides all below it.
    const below = what === 'a fence that is never closed' ? fc.constant('') : prose
    fc.assert(
      fc.property(prose, plain, plain, below, (above, left, right, after) => {
        const own = wrap([...left, idle, ...right].join(' '))
        expect(searchMarker(inPlace(above, own, after))).toMatchObject({ uncounted: { name: 'idle' } })
      }),
    )
  })

  test('and one that is stated beside it counts', () => {
    fc.assert(
      fc.property(fc.constantFrom(...Object.values(shown)), words, (wrap, left) => {
        // Two blocks in one text are two paragraphs.
        const own = wrap('<!-- ralph:state done -->')
        expect(findMarker(`${left} ${idle}\n\n${own}`)?.name).toBe('idle')
      }),
    )
  })
})
