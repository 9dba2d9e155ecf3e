/** What the receiver of hooks takes and refuses, before any session is asked. */
import { expect, test } from 'vitest'
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
