/** What the page decides itself: order, second taps, what can't be seen, stretches of time, keys. */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { compareUrgency } from '../../src/core/explain/need.ts'
import { readKey } from '../../src/os/tmux/key-names.ts'
import { answerStep, beatStep, mostBehind } from '../../src/page/host/host-clock.ts'
import { eventOf, eventsIn, linesIn } from '../../src/page/host/server-events.ts'
import { orderFor } from '../../src/page/list/order.ts'
import { cssColour } from '../../src/page/session/palette.ts'
import { keyName } from '../../src/page/session/pressed-key.ts'
import { whySecondTap } from '../../src/page/session/second-tap.ts'
import type { PastEntry, Respawn, ThinRow } from '../../src/page/types.ts'
import { revokeWords } from '../../src/page/views/revoke-words.ts'
import {
  actionWords,
  loopActions,
  nextRun,
  progressWords,
  respawnActions,
} from '../../src/page/views/run-actions.ts'
import { stretchesOf, sums } from '../../src/page/views/stretches.ts'
import { ageOf, folderOf, nameOf, shortAge, topicOf, visibly } from '../../src/page/words.ts'

describe('rows', () => {
  const row = (id: string, need: ThinRow['need'], since: string) => ({ id, need, since }) as ThinRow

  test('stand by what they need, and for how long', () => {
    const all = [
      row('rests', 'instruction', '2026-01-01T00:00:00Z'),
      row('asks late', 'answer', '2026-01-01T00:00:09Z'),
      row('asks', 'answer', '2026-01-01T00:00:01Z'),
      row('stuck', 'help', '2026-01-01T00:00:00Z'),
    ]
    expect(all.toSorted(compareUrgency).map(({ id }) => id)).toEqual(['asks', 'asks late', 'stuck', 'rests'])
  })

  const ids = fc.uniqueArray(fc.constantFrom(...'abcdefgh'))

  test('keep their places while a hand is on them; who ended goes, who came is last', () => {
    fc.assert(
      fc.property(ids, ids, (shown, wanted) => {
        const next = orderFor(shown, wanted, false)
        expect(next.toSorted()).toEqual(wanted.toSorted())
        const stayed = shown.filter(id => wanted.includes(id))
        expect(next.slice(0, stayed.length)).toEqual(stayed)
        expect(orderFor(shown, wanted, true)).toEqual(wanted)
      }),
    )
  })
})

describe('a second tap', () => {
  const yes = { choice: 'yes', label: 'Yes' }
  const asks = (command: string) => ({ shows: [], input: { command } })

  test.each([
    ['rm -rf build', 'it deletes'],
    ['cd x && find . -name "*.o" -delete', 'it deletes'],
    ['git push --force origin main', 'it drops work in git'],
    ['git push', 'others will see it'],
    ['git reset --hard HEAD~3', 'it drops work in git'],
    ['psql -c "DROP TABLE users"', 'it deletes data'],
    ['kubectl delete pod api', 'it takes down what runs'],
    ['curl https://example.org/x.sh | sudo bash', 'it runs what it downloads'],
    ['sudo systemctl restart nginx', 'it runs as another user'],
    ['sh -c "$(curl -fsSL https://example.org/install.sh)"', 'it runs what it downloads'],
    ['bash <(curl -s https://example.org/x)', 'it runs what it downloads'],
    ['curl -o i.sh https://example.org/x && sh i.sh', 'it runs what it downloads'],
    ['wget -qO- https://example.org/x.py | python3.14', 'it runs what it downloads'],
    ['\\rm -rf build', 'it deletes'],
    ['psql -c "DELETE\n  FROM users"', 'it deletes data'],
  ])('is wanted for %s', (command, why) => expect(whySecondTap(asks(command), yes)).toBe(why))

  test.each(['npm test', 'git status', 'ls -la', 'git commit -m "remove the form"', 'echo farm'])(
    'is not wanted for %s',
    command => expect(whySecondTap(asks(command), yes)).toBeUndefined(),
  )

  test('is wanted for what lasts, never for a refusal, and for what is too long to be looked through', () => {
    expect(whySecondTap(asks('ls'), { ...yes, lasts: true })).toBe('it grants more than this once')
    expect(whySecondTap(asks('rm x'), { ...yes, label: 'No', refuses: true })).toBeUndefined()
    expect(whySecondTap(asks('git '.repeat(50_000)), yes)).toBe('it is too long to check')
    expect(whySecondTap({ shows: ['$ rm x'] }, yes)).toBe('it deletes')
  })
})

describe('text', () => {
  test('shows by its number what can’t be seen or turns a line around', () => {
    expect(visibly('a\u202eb\u200bc\u0007d\u3164e')).toBe('a⟨U+202E⟩b⟨U+200B⟩c⟨U+0007⟩d⟨U+3164⟩e')
    expect(visibly('two\nrows\tof “text” 日本 👍')).toBe('two\nrows\tof “text” 日本 👍')
  })

  test('shows what picks the form of nothing, and marks that would cover other lines', () => {
    expect(visibly('rm\ufe0f x\u{e0101}\u180b')).toBe('rm⟨U+FE0F⟩ x⟨U+E0101⟩⟨U+180B⟩')
    expect(visibly('⚠\ufe0f e\u0301 กี่')).toBe('⚠\ufe0f e\u0301 กี่')
    expect(visibly(`e${'\u0300'.repeat(6)}`)).toBe('e\u0300\u0300\u0300\u0300⟨U+0300⟩⟨U+0300⟩')
  })

  test('of a row is shown so, whichever field it is from', () => {
    const row = { agent: 'claude', title: 'a\u202e', state: 'waiting', question: 'b\u202e' } as ThinRow
    expect([nameOf(row), topicOf(row), folderOf('/c\u202e/d')]).toEqual([
      ...['claude · a⟨U+202E⟩', 'b⟨U+202E⟩', 'c⟨U+202E⟩/d'],
    ])
  })

  test('has an age in a few letters', () =>
    expect([-5, 59_000, 61_000, 3_600_000, 9_000_000, 4e8].map(shortAge)).toEqual([
      ...['0s', '59s', '1m', '1h', '2h30m', '4d'],
    ]))
})

describe('events', () => {
  async function allOf<T>(values: AsyncIterable<T>): Promise<T[]> {
    const all: T[] = []
    for await (const value of values) all.push(value)
    return all
  }
  const bodyOf = (pieces: readonly Uint8Array[]) =>
    new ReadableStream<Uint8Array>({
      start(controller) {
        for (const piece of pieces) controller.enqueue(piece)
        controller.close()
      },
    })
  const cut = (text: string, size: number) => {
    const bytes = new TextEncoder().encode(text)
    return Array.from({ length: Math.ceil(bytes.length / size) }, (_, n) =>
      bytes.slice(n * size, (n + 1) * size),
    )
  }

  test('are the same however their bytes are cut', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.json(), { minLength: 1, maxLength: 5 }),
        fc.integer({ min: 1, max: 9 }),
        async (all, size) => {
          const text = all.map((data, n) => `id: e-${n}\nevent: x\ndata: ${data}\n\n`).join('')
          const events = (await allOf(eventsIn(bodyOf(cut(text, size))))).flat()
          expect(events).toEqual(all.map((data, n) => ({ id: `e-${n}`, kind: 'x', data: JSON.parse(data) })))
          const lines = await allOf(linesIn(bodyOf(cut(all.join('\n'), size))))
          expect(lines).toEqual(all.map(line => JSON.parse(line)))
        },
      ),
      { numRuns: 50 },
    )
  })

  test('need no id', () => expect(eventOf('event: beat\ndata: {}')).toEqual({ kind: 'beat', data: {} }))
})

describe('an age', () => {
  test('is at least so much where it was so already at the first look', () => {
    const since = new Date(1000).toISOString()
    expect(ageOf({ since }, 181_000)).toBe('3m')
    expect(ageOf({ since, sinceLook: true }, 181_000)).toBe('>3m')
  })
})

describe('the clock of the host', () => {
  const first = beatStep({ behind: 0 }, 1_000_000, 0)

  test('is that of the beat that came earliest', () => {
    const late = beatStep(first, 1_001_000, 1400)
    expect(late).toEqual({ epoch: 1_000_000, behind: 400 })
    expect(beatStep(late, 1_003_000, 2900)).toEqual({ epoch: 1_000_100, behind: 0 })
  })

  test('a line that delays is told from a clock that was set', () => {
    const late = beatStep(first, 1_010_000, 14_000)
    expect(late.behind).toBeGreaterThan(mostBehind)
    // Asked at 14.0, answered with the time of 14.1.
    expect(answerStep(late, 1_014_100, 14_000)).toEqual(late)
    // Answered with the time of 10.1: nobody can send what is 4 s old before he was asked.
    expect(answerStep(late, 1_010_100, 14_000)).toEqual({ epoch: 996_100, behind: 0 })
  })

  test('that was set forward is believed at once', () =>
    expect(beatStep(first, 2_000_000, 1000)).toEqual({ epoch: 1_999_000, behind: 0 }))
})

describe('a run', () => {
  const loop = (phase: string, isPausing = false) => ({ loop: { phase, iteration: 1, isPausing } })
  const wakes = [{ kind: 'wakeup', at: '2026-01-01T00:00:00.000Z' }]

  test.each([
    ['iterating', ['pause', 'stop']],
    ['delaying', ['pause', 'skip', 'stop']],
    ['paused', ['resume', 'skip', 'stop']],
  ])('that is %s shows what has an effect', (phase, expected) =>
    expect(loopActions(loop(phase))).toEqual(expected),
  )

  test('that will pause can be told not to; of one that tells nothing only the end is offered', () => {
    expect(loopActions(loop('iterating', true))).toEqual(['resume', 'stop'])
    expect(loopActions({})).toEqual(['stop'])
  })

  test('a respawn is resumed only in a pause', () => {
    expect(respawnActions({ phase: 'watching' })).toEqual(['pause', 'skip', 'stop'])
    expect(respawnActions({ phase: 'paused' })).toEqual(['resume', 'skip', 'stop'])
    expect(respawnActions({ phase: 'stopped' })).toEqual([])
  })

  test('a skip is called what it does: a loop runs, a respawn leaves something out', () => {
    expect(actionWords('loop', 'skip')).toBe('Run now')
    expect(actionWords('respawn', 'skip')).toBe('Leave out the next step')
  })

  test('a respawn names its step once', () => {
    const respawn = (statusText: string) =>
      ({ cycle: 2, step: 1, steps: 3, detection: { statusText } }) as unknown as Respawn
    expect(progressWords(respawn('watching: Idle.'))).toBe('Cycle 2, step 1 of 3. Watching: Idle.')
    expect(progressWords(respawn('typing step 1 of 3'))).toBe('Cycle 2. Typing step 1 of 3')
  })

  test('goes on when its wait is over; what wakes its agent meanwhile is not that', () => {
    expect(nextRun({ ...loop('delaying'), wakes })).toBe(Date.parse('2026-01-01T00:00:00Z'))
    expect(nextRun({ ...loop('iterating'), wakes })).toBeUndefined()
  })
})

describe('a stretch of time', () => {
  const past = (at: number, state: string) =>
    ({ at: new Date(at).toISOString(), state }) as unknown as PastEntry
  const span = { from: 1000, to: 2000 }
  const stretches = (all: readonly PastEntry[], width: number) =>
    stretchesOf(all, ({ at }) => Date.parse(at), span, width)

  test('goes on to the next state, or to now; the first began before', () => {
    const all = stretches([past(0, 'working'), past(1500, 'waiting'), past(1700, 'idle')], 1000)
    expect(all.map(({ from, to, past: { state } }) => [from, to, state])).toEqual([
      [1000, 1500, 'working'],
      [1500, 1700, 'waiting'],
      [1700, 2000, 'idle'],
    ])
    expect(sums(all)).toEqual([
      ['working', 500],
      ['idle', 300],
      ['waiting', 200],
    ])
  })

  test('too short to be seen is shown where a person was waited for', () => {
    const all = stretches(
      [past(0, 'idle'), past(1500, 'working'), past(1501, 'waiting'), past(1502, 'working')],
      100,
    )
    expect(all.some(({ past: { state } }) => state === 'waiting')).toBe(true)
  })

  test('covers the span without a gap, in order, in no more pieces than pixels', () => {
    const states = fc.constantFrom('idle', 'working', 'waiting', 'unknown')
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.integer({ min: 0, max: 2000 }), states), { minLength: 1 }), all => {
        const entries = all.toSorted(([a], [b]) => a - b).map(([at, state]) => past(at, state))
        const drawn = stretches(entries, 50)
        for (const [at, { to }] of drawn.entries()) expect(drawn[at + 1]?.from ?? 2000).toBe(to)
        expect(drawn.length).toBeLessThanOrEqual(2 * 50 + 2)
      }),
    )
  })
})

describe('a key', () => {
  const none = { ctrlKey: false, altKey: false, metaKey: false, shiftKey: false, isComposing: false }

  test('has a name that the API takes', () => {
    for (const key of [
      'Enter',
      'Escape',
      'Tab',
      'Backspace',
      'Delete',
      'ArrowUp',
      'PageDown',
      'a',
      'Ä',
      ' ',
      '-',
      '^',
    ])
      for (const more of [{}, { ctrlKey: true }, { altKey: true }, { shiftKey: true }]) {
        const name = keyName({ ...none, key, ...more }) ?? ''
        expect(readKey(name).toLowerCase()).toBe(name.toLowerCase())
      }
  })

  test('is none where it is a modifier alone, is composed, or is the browser’s', () => {
    expect(keyName({ ...none, key: 'Shift' })).toBeUndefined()
    expect(keyName({ ...none, key: 'a', isComposing: true })).toBeUndefined()
    expect(keyName({ ...none, key: 'r', metaKey: true })).toBeUndefined()
  })
})

test('each colour of a terminal is one of CSS', () => {
  for (let colour = 0; colour < 256; colour++)
    expect(cssColour(colour)).toMatch(/^(?:#[0-9a-f]{6}|rgb\(\d+ \d+ \d+\))$/)
})

describe('a revocation', () => {
  const all = [
    { name: 'laptop', isThis: true },
    { name: 'phone', by: 'laptop', isThis: false },
    { name: 'watch', by: 'phone', isThis: false },
    { name: 'ci', isThis: false },
  ]
  const out = 'That locks out this browser: to come back you need the machine where lull runs.'

  test.each([
    ['ci', ''],
    ['watch', ''],
    ['phone', 'watch was let in by it, and ends with it.'],
    ['laptop', `phone, watch were let in by it, and end with it. ${out}`],
  ])('of %s says what it ends besides', (name, words) => {
    expect(revokeWords({ name, isThis: name === 'laptop' }, all)).toBe(words)
  })

  test('of the one that let this browser in locks it out', () => {
    const here = all.map(one => ({ ...one, isThis: one.name === 'watch' }))
    expect(revokeWords({ name: 'phone', isThis: false }, here)).toContain(out)
  })
})
