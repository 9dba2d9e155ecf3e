/** A hook whose connection stays open until it is answered, or nobody asks any more: what goes over it. */
import type { Context } from 'hono'
import { stream } from 'hono/streaming'

export type HeldHook = {
  /** A line for the agent; undefined where it needs none any more. */
  readonly answer: Promise<string | undefined>
  /** The agent has gone, or wants no answer any more. */
  leave(): void
}

/** So that a forwarder notices a host that hangs. curl takes a byte in a second for silence (forwarder.ts). */
const heldBeat = `${' '.repeat(7)}\n`
const beatMs = 1000

export const heldReply = (c: Context, { answer, leave }: HeldHook): Response =>
  stream(c, async out => {
    out.onAbort(leave)
    await out.write(heldBeat)
    const beat = setInterval(() => void out.write(heldBeat), beatMs)
    const line = await answer
    clearInterval(beat)
    if (line !== undefined) await out.write(`${line}\n`)
  })
