/** A text that is sent to an agent is waited for from right before it is typed on. */
import { expect, test } from 'vitest'
import type { Lull } from '../../src/connect/connect.ts'
import { sendAndWait } from '../../src/connect/send-and-wait.ts'
import type { Terminal } from '../../src/drive/open-terminal.ts'
import type { TypeOptions } from '../../src/drive/terminal-options.ts'
import { finished, liveSession, news, prompt, sessionOf } from '../support/live.ts'

const agent = liveSession(sessionOf([prompt(1), news(2, finished)]))
const reached = { outcome: 'reached', sessions: [agent] } as const

/** Notes what happens, in its order. @param isDone the wait is over where it begins */
function stage({ isDone = false, send }: { isDone?: boolean; send?: () => Promise<never> } = {}) {
  const order: string[] = []
  const lull = {
    waitFor: async (_: string, { onRegistered, signal }: { onRegistered(): void; signal: AbortSignal }) => {
      if (isDone) return reached
      order.push('registered')
      onRegistered()
      await new Promise((resolve, reject) => {
        signal.addEventListener('abort', () => reject(signal.reason))
        setTimeout(resolve, 50)
      })
      return reached
    },
  } as unknown as Lull
  const terminal = {
    send: async (_: string, { whenFree }: TypeOptions) => {
      order.push('locked')
      await whenFree?.()
      await send?.()
      order.push('typed')
      return { bytes: 1, isEntered: true, isRead: true }
    },
  } as unknown as Terminal
  return { order, run: () => sendAndWait({ lull, agent, terminal }, 'x', {}, { timeout: 1000 }) }
}

test('the wait is registered once nobody else types, and before the text is typed', async () => {
  const { order, run } = stage()
  expect(await run()).toMatchObject({ done: { outcome: 'reached' }, sent: { isEntered: true } })
  expect(order).toEqual(['locked', 'registered', 'typed'])
})

test('nothing is typed where the wait is over at once', async () => {
  const { order, run } = stage({ isDone: true })
  expect(await run()).toMatchObject({ done: { outcome: 'reached' }, sent: undefined })
  expect(order).toEqual(['locked'])
})

test('a text that is refused ends the wait with the refusal', async () => {
  const refused = new Error('a dialog is open')
  const { run } = stage({
    send: async () => {
      throw refused
    },
  })
  await expect(run()).rejects.toBe(refused)
})
