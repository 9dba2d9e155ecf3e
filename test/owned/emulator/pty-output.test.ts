/** A flood is shown as if each of its bytes had been computed. */
import type { IPty } from '@lydell/node-pty'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { createEmulator, type Emulator } from '../../../src/owned/emulator/emulator.ts'
import { feedBudget } from '../../../src/owned/emulator/feed-budget.ts'
import { ptyOutput } from '../../../src/owned/emulator/pty-output.ts'

const size = { columns: 40, rows: 8 }

/** A program that prints all of it, in pieces as the kernel passes them on, before the first is computed. */
async function printed(pieces: readonly Buffer[]) {
  let print = (_: Buffer): void => undefined
  let pauses = 0
  const pty = {
    onData: (onData: (data: unknown) => void) => {
      print = onData
    },
    pause: () => void pauses++,
    resume: () => undefined,
  } as unknown as IPty
  const emulator = createEmulator(size, () => undefined)
  let computed = 0
  const counting: Emulator = {
    ...emulator,
    write(piece) {
      computed += piece.length
      return emulator.write(piece)
    },
  }
  const output = ptyOutput(pty, counting, feedBudget())
  for (const piece of pieces) {
    print(piece)
    // A reader between floods: the kernel's next piece comes when the event loop turns.
    if (piece.length < pieceSize) await output.isShown(10_000)
  }
  await output.isShown(10_000)
  return { emulator, computed, pauses, count: output.count() }
}

const pieceSize = 4096

const inPieces = (output: Buffer): Buffer[] =>
  Array.from({ length: Math.ceil(output.length / pieceSize) }, (_, n) =>
    output.subarray(n * pieceSize, (n + 1) * pieceSize),
  )

async function plainly(output: Buffer): Promise<Emulator> {
  const emulator = createEmulator(size, () => undefined)
  await emulator.write(output)
  return emulator
}

const shownBy = (emulator: Emulator) => ({
  lines: emulator.lines(2000),
  colours: emulator.colouredLines(2000),
  grid: emulator.grid(),
  kept: emulator.historySize(),
})

const counted = (rows: number, row: (n: number) => string): string =>
  Array.from({ length: rows }, (_, n) => `${row(n)}\r\n`).join('')

/** What may stand between two floods, or in the midst of one. */
const passages: Readonly<Record<string, string>> = {
  'a prompt': '$ ',
  'a screen of its own': '\u001b[?1049h\u001b[2Jhello',
  'the end of such a screen': '\u001b[?1049l',
  'a region that scrolls': '\u001b[2;5r\u001b[5;1H',
  'the end of a region': '\u001b[r\u001b[8;1H',
  'a title without its end': '\u001b]0;title',
  'the end of a title': '\u0007',
  'half a sequence': '\u001b[3',
  'a cursor that goes back': '\u001b[2A\u001b[3D',
  colour: '\u001b[1;31m',
  'no colour': '\u001b[0m',
  'letters of many bytes': 'äöü 表示',
  'a progress bar': '\r10 %\r20 %\b\b',
  reset: '\u001bc',
}

describe('what has scrolled away before its turn is not computed', () => {
  test('of a flood of lines the last are, and nothing tells the difference', async () => {
    const flood = Buffer.from(counted(60_000, n => `line ${n}`))
    const { emulator, computed, count, pauses } = await printed([
      Buffer.from('$ yes\r\n'),
      ...inPieces(flood),
    ])
    expect(count).toBe(flood.length + 7)
    expect(computed).toBeLessThan(flood.length / 2)
    expect(pauses).toBeLessThanOrEqual(1)
    expect(shownBy(emulator)).toEqual(
      shownBy(await plainly(Buffer.concat([Buffer.from('$ yes\r\n'), flood]))),
    )
  })

  test('colours that were set in it hold', async () => {
    const flood = Buffer.from(
      `\u001b[1m\u001b[32m${counted(60_000, n => (n === 900 ? '\u001b[4m' : `line ${n}`))}`,
    )
    const { emulator, computed } = await printed([Buffer.from('$ yes\r\n'), ...inPieces(flood)])
    expect(computed).toBeLessThan(flood.length / 2)
    expect(shownBy(emulator)).toEqual(
      shownBy(await plainly(Buffer.concat([Buffer.from('$ yes\r\n'), flood]))),
    )
  })

  test('lines behind them that never return to the first column begin where they would', async () => {
    const flood = `${counted(60_000, n => `line ${n}`)}${counted(3000, n => `${n}`).replaceAll('\r', '')}`
    const pieces = [Buffer.from('$ yes\r\n$ '), ...inPieces(Buffer.from(flood))]
    const { emulator, computed } = await printed(pieces)
    expect(computed).toBeLessThan(flood.length / 2)
    expect(shownBy(emulator)).toEqual(shownBy(await plainly(Buffer.concat(pieces))))
  })

  test('whatever comes before it, in it and behind it', { timeout: 120_000 }, async () => {
    const part = fc.oneof(
      fc.constantFrom(...Object.values(passages)),
      fc.integer({ min: 1, max: 40 }).map(rows => counted(rows, n => `few ${n}`)),
      fc.integer({ min: 1500, max: 20_000 }).map(rows => counted(rows, n => `${n}`)),
      fc.integer({ min: 1500, max: 9000 }).map(rows => counted(rows, n => `\u001b[3${n % 8}m${n} 表`)),
      fc.integer({ min: 1500, max: 5000 }).map(rows => counted(rows, n => `${n} `.repeat(20))),
      fc.integer({ min: 1500, max: 5000 }).map(rows => counted(rows, n => `${n}`).replaceAll('\r', '')),
    )
    await fc.assert(
      fc.asyncProperty(fc.array(part, { minLength: 1, maxLength: 8 }), async parts => {
        const output = Buffer.from(parts.join(''))
        const { emulator, count } = await printed(parts.flatMap(one => inPieces(Buffer.from(one))))
        expect(count).toBe(output.length)
        expect(shownBy(emulator)).toEqual(shownBy(await plainly(output)))
      }),
      { numRuns: 15 },
    )
  })
})
