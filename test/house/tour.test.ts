/** docs/tour.md and what plays it. The day itself, with real CLIs, is played only where `LULL_TOUR=1` asks for it. */
import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, test } from 'vitest'
import { differences, shownIn, written } from '../../bench/tour/page.ts'
import { squeezed, stable } from '../../bench/tour/stable.ts'
import { steps } from '../../bench/tour/steps.ts'
import { labCommand } from '../../scripts/setup-lab.ts'
import { fencesOf, repository, textOf } from '../support/markdown.ts'
import { parsed, wordsOf } from '../support/parsed-command.ts'

const page = textOf('docs/tour.md')
const shown = shownIn(page)

describe('the page', () => {
  test('has the steps that are played, in their order, and no other example', () => {
    expect(shown.map(({ command }) => command)).toEqual(steps.map(({ command }) => command))
    expect(fencesOf('docs/tour.md')).toHaveLength(steps.length)
  })

  test.each(steps.filter(({ command }) => command.startsWith('lull ')))(
    '$command is one of lull',
    async ({ command }) => {
      const words = wordsOf(command)
      expect(words.join(' ')).toMatch(new RegExp(`^${(await parsed(words))?.path}( |$)`))
    },
  )

  test('holds nothing that differs from day to day', () => {
    for (const { printed } of shown) {
      expect(squeezed(stable(printed, { home: '/nobody', known: [] }))).toBe(squeezed(printed))
      expect(printed).not.toMatch(/\/tmp\/|\/home\//)
    }
  })
})

test('a row that goes on below is the same row', () => {
  expect(squeezed('22:00  done  web\n  All tests pass.\n22:00  idle')).toBe(
    squeezed('22:00  done  web   All tests pass.\n22:00  idle'),
  )
})

describe('what a command printed is made stable', () => {
  const day = { home: '/tmp/a/home', known: ['x0a9nqgx', 'pzfxxihr'] }

  test.each([
    ['the host runs (pid 4659) for 0.3 s', 'the host runs (pid 4711) for 2 s'],
    ['codex pzfxxihr (/tmp/a/home/api)', 'codex j3uty2tt (~/api)'],
    ['waiting since 04:22:03, until 17:40', 'waiting since 22:00, until 22:00'],
    ['for 1 min 31 s, waited 5h46m', 'for 2 s, waited 2s'],
    ['● done  12s  codex', '● done  2s   codex'],
    ['idle for 12s, seen', 'idle for 2s, seen'],
    ['2026-11-25, [ . ] Action', '2026-11-24, [ ! ] Action'],
  ])('%s', (text, expected) => expect(stable(text, day)).toBe(expected))

  test('what tells of lull itself stays', () => {
    const told = 'turn 2, confidence 0.99, permission (yes), 19 events, codex 0.169.0, 1.2k/40, 34%'
    expect(stable(told, day)).toBe(told)
  })
})

describe('a page is held against what was played', () => {
  const old = 'It lists them:\n\n```console\n$ lull ps\nSTATE  FOR\nidle   2s\n```\n'

  test('how wide a column is does not count; what stands in it does', () => {
    expect(differences(old, [{ command: 'lull ps', printed: 'STATE     FOR\nidle      2s' }])).toEqual([])
    expect(differences(old, [{ command: 'lull ps', printed: 'STATE  FOR\nwaiting  2s' }])).toHaveLength(1)
  })

  test('a step too few, and one too many, is told', () => {
    expect(differences(old, [])).toEqual(['block 1 is `lull ps`, played was `nothing`'])
    const more = [...shownIn(old), { command: 'lull go', printed: '' }]
    expect(differences(old, more)).toEqual(['block 2 is `missing`, played was `lull go`'])
  })

  test('written anew it has what was played, and the prose as it was', () => {
    const anew = written(old, [{ command: 'lull ps', printed: 'costs $& and $1' }])
    expect(anew).toBe('It lists them:\n\n```console\n$ lull ps\ncosts $& and $1\n```\n')
  })
})

const isAsked =
  process.env.LULL_TOUR === '1' && existsSync(labCommand('claude')) && existsSync(labCommand('codex'))

test.runIf(isAsked)('the day, played with real CLIs, is the one of the page', { timeout: 600_000 }, () => {
  const tour = spawnSync(process.execPath, [path.join(repository, 'bench/tour.ts')], { encoding: 'utf8' })
  expect({ code: tour.status, wrong: tour.stdout.match(/^wrong: .*/gm) ?? [] }).toEqual({
    code: 0,
    wrong: [],
  })
  expect(JSON.parse(tour.stdout.trimEnd().split('\n').at(-1) ?? '')).toMatchObject({ played: steps.length })
})
