/** A client of `/v1/events` that comes back by itself with its last id, as programs do. */
import { onTestFinished } from 'vitest'
import { until } from './until.ts'

export type Heard = {
  readonly id: string | undefined
  readonly event: string
  readonly data: Record<string, unknown>
  /** Which of its connections it came by, from 0. */
  readonly connection: number
}

export function eventStream(url: string, token: string) {
  const stop = new AbortController()
  const heard: Heard[] = []
  let connection = -1

  async function read(): Promise<void> {
    const lastId = heard.findLast(({ id }) => id !== undefined)?.id ?? ''
    const headers = { authorization: `Bearer ${token}`, 'last-event-id': lastId }
    const answer = await fetch(`${url}/v1/events`, { headers, signal: stop.signal })
    if (answer.status !== 200) return
    connection++
    let rest = ''
    for await (const piece of answer.body?.pipeThrough(new TextDecoderStream()) ?? []) {
      const events = (rest + piece).split('\n\n')
      // What a cut connection leaves of an event is dropped.
      rest = events.pop() ?? ''
      for (const text of events) {
        const fields = Object.fromEntries(text.split('\n').map(line => line.split(/: (.*)/s, 2))) as Record<
          string,
          string
        >
        heard.push({
          id: fields.id,
          event: fields.event ?? '',
          data: JSON.parse(fields.data ?? '{}') as Record<string, unknown>,
          connection,
        })
      }
    }
  }

  const ended = (async () => {
    while (!stop.signal.aborted) {
      await read().catch(() => undefined)
      await new Promise(resolve => setTimeout(resolve, 20))
    }
  })()
  const close = async (): Promise<void> => {
    stop.abort()
    await ended
  }
  onTestFinished(close)
  return {
    heard: heard as readonly Heard[],
    has: (isIt: (one: Heard) => boolean, what: string) =>
      until(
        () => heard.find(isIt),
        one => one !== undefined,
        what,
      ),
    close,
  }
}

/** What is wrong with an order of events: in each epoch numbers rise by one, and a new epoch begins with a snapshot. */
export function faultsOf(heard: readonly Heard[]): readonly string[] {
  const faults: string[] = []
  let last: readonly [epoch: string, number: number] | undefined
  for (const { id, event, data } of heard) {
    if (id === undefined) continue
    const [epoch = '', text] = id.split('-')
    const number = Number(text)
    if (event === 'snapshot') {
      if (data.resumed !== false) faults.push(`${id}: a snapshot that resumed`)
    } else if (last?.[0] !== epoch) faults.push(`${id}: another epoch without a snapshot`)
    else if (number !== last[1] + 1) faults.push(`${id} after ${last.join('-')}`)
    last = [epoch, number]
  }
  return faults
}
