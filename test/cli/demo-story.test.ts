/** The demo's stories: the agent's own screen, lull's verdict, and what the newest hook says. */
import path from 'node:path'
import { describe, expect, test } from 'vitest'
import {
  changeLines,
  farewell,
  hookAt,
  openingLines,
  outcomeLines,
  spanOf,
  storyLines,
  tellingInstant,
} from '../../src/cli/demo/story-lines.ts'
import { openStory } from '../../src/connect/open-story.ts'
import { textWidth } from '../../src/index.ts'
import { temporaryFile } from '../support/lull.ts'
import { linesOf } from '../support/recordings.ts'

const demo = path.join(import.meta.dirname, '../../demo')
const background = await openStory(path.join(demo, 'claude-agent.cast.gz'))

describe('a turn that ends while a background agent works on', () => {
  test('is done for who trusts the newest hook, and is not', () => {
    const at = tellingInstant(background)
    const change = background.changes.findLast(one => one.at <= at)
    expect(change?.verdict.state).toEqual({ kind: 'working', doing: 'background' })
    expect(change && hookAt(background, change, at)).toMatchObject({
      isWrong: true,
      claim: { what: 'Stop', state: { kind: 'idle' } },
    })
    expect(
      changeLines(background).filter(line => line.includes('✗ the last hook: idle/turn (Stop)')),
    ).toHaveLength(1)
  })

  test.each([60, 80, 100, 120, 200])('stands in %i columns, with the screen of that instant', width => {
    const shown = storyLines(background, tellingInstant(background), { width, rows: 8, isColoured: false })
    expect(shown.filter(line => textWidth(line) > width)).toEqual([])
    const text = shown.join('\n')
    expect(text).toContain('lull       working/background')
    expect(text).toContain('last hook  idle/turn (Stop)  ✗')
    expect(text).toContain('❯')
  })

  test('without colours no escape sequence is in it, with them only those of colours', () => {
    for (const isColoured of [false, true]) {
      const text = storyLines(background, 5000, { width: 100, rows: 8, isColoured }).join('\n')
      expect(text.replaceAll(/\u001b\[(?:38;5;\d+|\d+)m/g, isColoured ? '' : 'x').includes('\u001b')).toBe(
        false,
      )
      expect(text.includes('\u001b')).toBe(isColoured)
    }
  })
})

describe('what stays of a story', () => {
  const name = 'Claude Code: a turn that ends while a background agent works on'

  test('is for how long the newest hook was wrong, from the first prompt to the end', () => {
    const { from, to } = spanOf(background)
    expect(background.changes.find(({ verdict }) => verdict.state.kind === 'working')?.at).toBe(from + 500)
    expect(background.changes.some(({ at, verdict }) => at > to && verdict.state.kind !== 'exited')).toBe(
      false,
    )
    const [first, second] = outcomeLines(background, name, 80, false)
    expect(first).toBe(` ${name}`)
    expect(second).toMatch(/^ {3}✗ the newest hook was wrong for 1\d of 1\d s \(idle\/turn\)$/)
  })

  test('is that it was right, where it was', async () => {
    const silent = await openStory(path.join(demo, 'claude-bash20.cast.gz'))
    expect(outcomeLines(silent, 'x', 80, false)[1]).toBe('   ✓ here the newest hook was right')
  })

  test('and all around it fits 80 columns', () => {
    const all = [...openingLines(79), ...outcomeLines(background, name, 79, false), ...farewell]
    expect(all.filter(line => textWidth(line) > 79)).toEqual([])
  })
})

test('what a recording writes reaches no terminal', async () => {
  const [header = ''] = linesOf('claude-permission')
  const hostile = JSON.stringify([
    0.5,
    'o',
    '\u001b]0;x\u0007\u001b]52;c;eA==\u0007\u009b31mred\u001b[2J\u0007here',
  ])
  const story = await openStory(temporaryFile('hostile.cast', `${header}\n${hostile}\n`))
  const text = storyLines(story, 1000, { width: 100, rows: 8, isColoured: false }).join('')
  expect(text).toContain('here')
  expect([...text].filter(one => one < ' ' || (one >= '\u007f' && one <= '\u009f'))).toEqual([])
})
