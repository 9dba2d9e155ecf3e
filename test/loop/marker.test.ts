/** State markers count in the final message alone, and there only where the agent itself says them. */

import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { idle, messages } from '../../bench/loop/marker-messages.ts'
import { rowCases } from '../../bench/loop/marker-rows.ts'
import { hookedNames } from '../../src/agents/agent-names.ts'
import { tailOf } from '../../src/core/text/code-fence.ts'
import { findMarker, searchMarker } from '../../src/loop/marker/marker.ts'
import { expectLinear } from '../support/growth.ts'

describe('a final message', () => {
  test.each(messages)('$what: $reports', ({ text, prompt, reports }) => {
    expect(findMarker(text, prompt)?.name ?? null).toBe(reports)
  })

  test('there are enough of them, of both kinds', () => {
    expect(messages.filter(m => m.reports === null).length).toBeGreaterThanOrEqual(40)
    expect(messages.filter(m => m.reports !== null).length).toBeGreaterThanOrEqual(40)
  })
})

describe('a marker that does not count is told with the reason', () => {
  test.each([
    [`\`${idle}\``, 'it is in code'],
    [`\`\`\`\n${idle}\n\`\`\``, 'it is in code'],
    [`    ${idle}`, 'it is in code'],
    [`> ${idle}`, 'it is in a block quote'],
    [`It says "so\n${idle}\nand so".`, 'it is in quotation marks'],
    [`I end with '${idle}'.`, 'it is in quotation marks'],
    [`RALPH.md:12: ${idle}`, 'it is in a cited line'],
    [`<!-- say ${idle} -->`, 'it is in a comment'],
    [`…words ${idle}`, 'it is in a line whose beginning is cut off'],
    [`<pre>\n${idle}\n</pre>`, 'it is in an element'],
    [`Either:\n- ${idle}\n- <!-- ralph:state done -->`, 'it is in a list of states'],
    ['<!-- ralph:state blocked REASON -->', 'it has the placeholders of the documentation'],
  ])('%j: %s', (text, why) => {
    expect(searchMarker(text)).toEqual({ uncounted: { name: expect.any(String), why } })
  })

  test('the prompt’s own', () => {
    expect(searchMarker(idle, idle).uncounted?.why).toBe('the prompt has the same lines')
  })

  test('not where another one counts, and not where there is none', () => {
    expect(searchMarker(`\`${idle}\`\n\n${idle}\n\nSee \`${idle}\`.`)).toEqual({ marker: { name: 'idle' } })
    expect(searchMarker('Status: IDLE')).toEqual({})
  })
})

describe('rows of the CLIs', () => {
  test.each(rowCases)('$agent: $what: $reports', ({ read, reports }) => {
    expect(read()).toBe(reports)
  })

  test('every CLI is among them', () => {
    expect(new Set(rowCases.map(({ agent }) => agent))).toEqual(new Set(hookedNames))
  })
})

describe('what a marker says', () => {
  test.each([
    ['idle', { name: 'idle' }],
    ['idle until=90s', { name: 'idle', until: { in: 90_000 } }],
    ['idle until=1h30m', { name: 'idle', until: { in: 5_400_000 } }],
    [
      'waiting until="10m" for the build',
      { name: 'waiting', reason: 'for the build', until: { in: 600_000 } },
    ],
    [
      'waiting for CI until=2026-11-22T10:00:00Z',
      { name: 'waiting', reason: 'for CI', until: { at: 1_795_341_600_000 } },
    ],
    ['idle until=2026-11-22T10:00Z', { name: 'idle', until: { at: 1_795_341_600_000 } }],
    ['idle until=2026-11-22T12:00:00+02:00', { name: 'idle', until: { at: 1_795_341_600_000 } }],
    ['idle until=whenever', { name: 'idle' }],
    ['idle until=5', { name: 'idle' }],
    ['blocked   needs a key ', { name: 'blocked', reason: 'needs a key' }],
    ['done', { name: 'done' }],
    ['Needs-Review now', { name: 'needs-review', reason: 'now' }],
  ])('%s', (content, marker) => {
    expect(findMarker(`<!-- ralph:state ${content} -->`)).toEqual(marker)
  })

  test('a time beyond all measure is a year', () => {
    const marker = findMarker(`<!-- ralph:state idle until=${'9'.repeat(400)}d -->`)
    expect(marker?.until).toEqual({ in: 366 * 86_400_000 })
  })
})

describe('text of any size', () => {
  test.each([
    ['blanks in a marker', (size: number) => `<!-- ralph:state idle${' '.repeat(size * 60)}x`],
    ['backticks', (size: number) => `${'` `` ``` '.repeat(size * 3)}\n${idle} x\n${idle}`],
    ['list marks', (size: number) => `${'- '.repeat(size * 15)}\n${idle}`],
    ['comments', (size: number) => `${'<!-- a '.repeat(size * 6)}\n${idle}`],
    ['quotation marks', (size: number) => `${'“ " \' '.repeat(size * 6)}\n${idle}`],
    ['paths', (size: number) => `${'a/'.repeat(size * 15)}\n${idle}`],
    ['markers without an end', (size: number) => '<!-- ralph:state idle '.repeat(size * 2)],
    ['elements', (size: number) => `${'<a '.repeat(size * 10)}\n${idle}`],
  ])('%s take no more time than they are long', (_, textOf) => {
    expectLinear(size => {
      const text = textOf(size)
      findMarker(text, text.slice(0, 1000))
    }, 250)
  })

  test('of markers in quotations none counts, however many they are', () => {
    expect(findMarker(`"\n${idle}\n" `.repeat(2000))).toBeUndefined()
  })
})

describe('the end of a text', () => {
  const filler = (length: number) => 'words of a report\n'.repeat(length / 18)

  test('what fits is left as it is', () => {
    expect(tailOf('x'.repeat(4000), 4000)).toBe('x'.repeat(4000))
  })

  test.each([
    ['a fence that is open where it is cut', `\`\`\`\n${filler(5000)}${idle}\n\`\`\``, undefined],
    ['a fence of tildes', `~~~~\n${filler(5000)}${idle}\n~~~~`, undefined],
    ['a fence in a list', `- \`\`\`\n${filler(5000)}${idle}\n  \`\`\``, undefined],
    [
      'a fence in a list, and one said after it',
      `1. \`\`\`\n${filler(5000)}x\n      \`\`\`\n\n${idle}`,
      'idle',
    ],
    ['a fence that is closed before', `\`\`\`\nx\n\`\`\`\n${filler(5000)}${idle}`, 'idle'],
    ['a fence that is closed after', `\`\`\`\n${filler(5000)}\n\`\`\`\n${idle}`, 'idle'],
    ['an element that is open', `<pre>\n${filler(5000)}${idle}\n</pre>`, undefined],
    ['a quotation in a line that is cut', `It says: ${'x'.repeat(500)}${idle}\n${filler(3870)}`, undefined],
    ['one line without an end', `${'x'.repeat(5000)} ${idle}`, undefined],
  ])('%s', (_, text, name) => {
    const tail = tailOf(text, 4000)
    expect(tail.length).toBeLessThanOrEqual(4000)
    expect(findMarker(tail)?.name).toBe(name)
  })

  test('wherever the cut falls, a quotation in a line stays one', () => {
    const text = `It says "${'x'.repeat(300)} ${idle}"\n${filler(3960)}`
    for (let most = 3900; most < 4400; most++) expect(findMarker(tailOf(text, most))).toBeUndefined()
  })

  test('wherever the cut falls, a fence stays one', () => {
    const text = `${'words\n'.repeat(50)}\`\`\`\ncode\n${idle}\nmore\n\`\`\`\n${filler(3960)}`
    for (let most = 3900; most < 4300; most++) expect(findMarker(tailOf(text, most))).toBeUndefined()
  })
})

test('the document shows the marker as it is read here', () => {
  const text = readFileSync(new URL('../../docs/loop.md', import.meta.url), 'utf8')
  expect(text).toContain(idle)
})
