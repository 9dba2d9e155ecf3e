/** What the receiver of hooks takes and refuses, before any session is asked. */
import { describe, expect, test } from 'vitest'
import { readHook } from '../../src/agents/claude/hooks.ts'
import { longestLine } from '../../src/core/trace/trace.ts'
import { createReceiver, type HookReport } from '../../src/hooks/receiver.ts'

function receiver() {
  const reports: HookReport[] = []
  const { routes, counts } = createReceiver(
    report => reports.push(report),
    undefined,
    () => undefined,
  )
  const post = async (body: string | ReadableStream, headers: Record<string, string> = {}) =>
    (
      await routes.request('/hooks/claude?event=Stop', {
        method: 'POST',
        body,
        headers,
        duplex: 'half',
      } as RequestInit)
    ).status
  return { post, counts, reports }
}

const inPieces = (text: string): ReadableStream => new Blob([text]).stream()
const large = JSON.stringify({ text: 'x'.repeat(longestLine) })

test('takes a hook, whether or not it names its length', async () => {
  const { post, counts, reports } = receiver()
  expect(await post('{"a":1}', { 'content-length': '7' })).toBe(204)
  expect(await post(inPieces('{"a":1}'))).toBe(204)
  expect(counts).toEqual({ received: 2, refused: 0, unauthorised: 0 })
  await new Promise(setImmediate)
  expect(reports.map(({ payload }) => payload)).toEqual([{ a: 1 }, { a: 1 }])
})

test('refuses a hook that is too large, whether or not it names its length', async () => {
  const { post, counts } = receiver()
  expect(await post(large, { 'content-length': String(large.length) })).toBe(413)
  expect(await post(inPieces(large))).toBe(413)
  expect(await post(inPieces(large), { 'transfer-encoding': 'chunked', 'content-length': '7' })).toBe(413)
  expect(counts).toEqual({ received: 0, refused: 3, unauthorised: 0 })
})

describe('a hook whose agent takes an answer', () => {
  const ask = (input: object): string => JSON.stringify({ tool_name: 'Bash', tool_input: input })
  const many = (count: number): object => Object.fromEntries(Array.from({ length: count }, (_, n) => [n, 1]))

  async function sent(body: string) {
    const [held, taken, said]: [HookReport[], HookReport[], string[]] = [[], [], []]
    const { routes } = createReceiver(
      report => taken.push(report),
      undefined,
      sentence => said.push(sentence),
      report => {
        held.push(report)
        return undefined
      },
    )
    await routes.request('/hooks/claude?event=PermissionRequest', {
      method: 'POST',
      body,
      headers: { 'lull-hold': 'yes', 'content-length': String(body.length) },
    })
    await new Promise(setImmediate)
    return { held, taken, said }
  }

  test('is held', async () => {
    const { held, taken, said } = await sent(ask({ command: 'make\n'.repeat(1000), more: many(400) }))
    expect([held.length, taken.length, said]).toEqual([1, 0, []])
  })

  test.each([
    ['too long', ask({ command: 'x'.repeat(100_000) }), 'more than 100000 characters'],
    ['of too many rows', ask({ command: '\n'.repeat(3000) }), 'more than 2000 rows'],
    ['of too many fields', ask({ deep: [many(300), many(300)] }), 'more than 500 fields'],
    ['of far too many values', ask({ list: Array(500_000).fill(1) }), 'more than 100000 characters'],
  ])('is taken but not held where it is %s, and the log says so', async (_, body, why) => {
    const { held, taken, said } = await sent(body)
    expect([held.length, taken.length]).toEqual([0, 1])
    expect(said).toEqual([`a hook is not held, so keys answer it: PermissionRequest of claude has ${why}`])
  })

  test('is read without a copy of its input', () => {
    let reads = 0
    const input = new Proxy(many(9), {
      ownKeys(target) {
        reads++
        return Reflect.ownKeys(target)
      },
    })
    const payload = { tool_name: 'Bash', tool_input: input }
    const { signals } = readHook({ event: 'PermissionRequest', payload }, { at: 0, seen: 0 } as never, {})
    expect(signals).not.toEqual([])
    expect(reads).toBe(0)
  })
})
