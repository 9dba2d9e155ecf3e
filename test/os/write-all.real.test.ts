/** Writing to what does not take all at once: a pipe that is smaller than what is written, and never waits. */
import { execFileSync } from 'node:child_process'
import { closeSync, constants, openSync } from 'node:fs'
import { Socket } from 'node:net'
import path from 'node:path'
import { text } from 'node:stream/consumers'
import { expect, test } from 'vitest'
import { printable } from '../../src/core/text/printable.ts'
import { writeAll } from '../../src/os/file/write-all.ts'
import { createLineWriter } from '../../src/run/line-writer.ts'
import { temporaryFolder } from '../support/lull.ts'

function pipe(): { readonly from: number; readonly to: number } {
  const file = path.join(temporaryFolder(), 'pipe')
  execFileSync('/usr/bin/mkfifo', [file])
  const from = openSync(file, constants.O_RDONLY | constants.O_NONBLOCK)
  return { from, to: openSync(file, constants.O_WRONLY | constants.O_NONBLOCK) }
}

const written = (fd: number, bytes: Uint8Array): Promise<Error | undefined> =>
  new Promise(resolve => writeAll(fd, bytes, resolve))

test('all of it arrives, in its order, where the reader takes it bit by bit', async () => {
  const { from, to } = pipe()
  const bytes = Buffer.from(Array.from({ length: 60_000 }, (_, n) => `${n} `).join(''))
  const writing = written(to, bytes).finally(() => closeSync(to))
  expect(await text(new Socket({ fd: from, readable: true, writable: false }))).toBe(bytes.toString())
  expect(await writing).toBeUndefined()
})

test('that nobody reads any more is told once', async () => {
  const { from, to } = pipe()
  closeSync(from)
  expect(await written(to, Buffer.from('text'))).toMatchObject({ code: 'EPIPE' })
  closeSync(to)
})

test('lines come whole and in their order, with the end that is wanted then', async () => {
  const { from, to } = pipe()
  let end = '\n'
  const lines = createLineWriter(to, () => end)
  lines.line(printable('x'.repeat(100_000)))
  lines.line(printable('second'))
  const reading = text(new Socket({ fd: from, readable: true, writable: false }))
  await lines.flush()
  end = '\r\n'
  lines.line(printable('third'))
  await lines.flush()
  closeSync(to)
  expect(await reading).toBe(`${'x'.repeat(100_000)}\nsecond\nthird\r\n`)
})
