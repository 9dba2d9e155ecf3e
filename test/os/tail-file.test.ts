/** A file that grows, is cut, rotated or removed: each whole line is read once. */
import { appendFileSync, renameSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, test } from 'vitest'
import { readAppended, type TailPosition, unread } from '../../src/os/file/tail-file.ts'
import { temporaryFolder } from '../support/lull.ts'

const megabyte = 1024 * 1024

describe('a file that grows', () => {
  /** Looks at a file again and again; each look returns the lines that are new. */
  function follow(file: string) {
    let position: TailPosition = unread(file)
    return () => {
      const { next, lines } = readAppended(position)
      position = next
      return lines
    }
  }
  const inFolder = () => path.join(temporaryFolder(), 'log.jsonl')

  test('each line is read once, when it is whole', () => {
    const file = inFolder()
    writeFileSync(file, 'one\ntwo\nthr')
    const look = follow(file)
    expect(look()).toEqual(['one', 'two'])
    expect(look()).toEqual([])
    appendFileSync(file, 'ee\n')
    expect(look()).toEqual(['three'])
    appendFileSync(file, '\nlast\n')
    expect(look()).toEqual(['', 'last'])
  })

  test('a character that is written in two pieces stays whole', () => {
    const file = inFolder()
    const bytes = Buffer.from('a €\n')
    writeFileSync(file, bytes.subarray(0, 3))
    const look = follow(file)
    expect(look()).toEqual([])
    appendFileSync(file, bytes.subarray(3))
    expect(look()).toEqual(['a €'])
  })

  test('truncation begins it anew', () => {
    const file = inFolder()
    writeFileSync(file, 'one\ntwo\n')
    const look = follow(file)
    look()
    truncateSync(file, 0)
    expect(look()).toEqual([])
    appendFileSync(file, 'new\n')
    expect(look()).toEqual(['new'])
  })

  test('rotation begins it anew, even where the new file is longer', () => {
    const file = inFolder()
    writeFileSync(file, 'one\n')
    const look = follow(file)
    look()
    renameSync(file, `${file}.1`)
    writeFileSync(file, 'first\nsecond\n')
    expect(look()).toEqual(['first', 'second'])
  })

  test('one that stands there anew, longer than it was, is read anew, and not from within a line', () => {
    const file = inFolder()
    writeFileSync(file, 'one\n')
    const look = follow(file)
    look()
    writeFileSync(file, 'a longer one\nsecond\n')
    expect(look()).toEqual(['a longer one', 'second'])
  })

  test('a file that disappears is an error; who follows it anew reads all of it', () => {
    const file = inFolder()
    writeFileSync(file, 'one\n')
    const look = follow(file)
    look()
    rmSync(file)
    expect(look).toThrow(expect.objectContaining({ code: 'ENOENT' }))
    writeFileSync(file, 'back again\n')
    expect(follow(file)()).toEqual(['back again'])
  })

  test('of a long one the last megabyte is read, without the line that it cuts', () => {
    const file = inFolder()
    const lines = Array.from({ length: 30_000 }, (_, i) => `${i}`.padStart(99, '.'))
    writeFileSync(file, `${lines.join('\n')}\n`)
    const look = follow(file)
    const seen = look()
    expect(seen).toEqual(lines.slice(-seen.length))
    expect(seen.length).toBe(Math.floor(megabyte / 100))
    expect(look()).toEqual([])
  })

  test.each([
    [2, ['x'.repeat(2 * megabyte), 'after']],
    [20, ['after']],
  ])('a line of %d MB: longer ones than 8 MB are passed over', (size, expected) => {
    const file = inFolder()
    writeFileSync(file, 'one\n')
    const look = follow(file)
    look()
    appendFileSync(file, `${'x'.repeat(size * megabyte)}\nafter\n`)
    expect(Array.from({ length: size }, look).flat()).toEqual(expected)
    appendFileSync(file, 'later\n')
    expect(look()).toEqual(['later'])
  })

  test('a long line that is begun at the first look is passed over when it is whole', () => {
    const file = inFolder()
    writeFileSync(file, 'x'.repeat(3 * megabyte))
    const look = follow(file)
    expect(look()).toEqual([])
    appendFileSync(file, 'x\nafter\n')
    expect(look()).toEqual(['after'])
  })

  test('a long line that is written in pieces is read once, when it is whole', () => {
    const file = inFolder()
    writeFileSync(file, '')
    const look = follow(file)
    for (let i = 0; i < 5; i++) {
      expect(look()).toEqual([])
      appendFileSync(file, 'x'.repeat(megabyte))
    }
    appendFileSync(file, '\n')
    expect(look().map(line => line.length)).toEqual([5 * megabyte])
    expect(look()).toEqual([])
  })
})
