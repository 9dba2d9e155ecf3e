/** A few seconds of `npm run fuzz`: broken text into all that reads text from outside. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import path from 'node:path'
import { expect, test } from 'vitest'

const root = path.resolve(import.meta.dirname, '../..')

async function fuzz(...args: readonly string[]): Promise<{ code: number; printed: string }> {
  const node = ['--max-old-space-size=200', 'scripts/fuzz.ts', ...args]
  const child = spawn(process.execPath, node, { cwd: root, stdio: ['ignore', 'pipe', 'pipe'] })
  let printed = ''
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', piece => {
      printed += piece
    })
  const [code] = (await once(child, 'close')) as [number]
  return { code, printed }
}

test('nothing throws, stalls or eats memory', { timeout: 240_000 }, async () => {
  const { code, printed } = await fuzz('--seconds', '6')
  expect({ code, printed }).toEqual({ code: 0, printed: expect.not.stringContaining('✗') })
  // Each target has had its turn.
  expect(printed.match(/^✓ .*: [1-9]\d* inputs, seed \d+$/gm)?.length).toBeGreaterThan(10)
})

test('a target that is not there is said', async () => {
  expect((await fuzz('--only', 'nothing')).code).toBe(2)
})
