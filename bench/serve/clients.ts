/** A process of `bench:serve`: many clients of the event stream, each of which checks all that it gets. Told what to do over IPC. */
import http from 'node:http'

export type ClientsOrder =
  | { readonly do: 'open'; readonly clients: number }
  /** Delays are counted from now on. */
  | { readonly do: 'measure' }
  /** Replies once each client has so many signals; within `ms`, or it says what is missing. */
  | { readonly do: 'check'; readonly filed: number; readonly ms: number }
  /** Each connection is cut off. Replies once each client is back. */
  | { readonly do: 'cut' }
  /** Replies once each client has a snapshot of another host. */
  | { readonly do: 'await restart' }

export type ClientsReply = {
  /** When the last client had its first event (of its connection), ms of the machine's monotonic clock. */
  readonly at: number
  readonly events: number
  /** Signals that never came to a client; events whose number is not one more than the one before. */
  readonly lost: number
  readonly disordered: number
  readonly snapshots: number
  readonly p50: number
  readonly p99: number
  readonly longest: number
}

const [port = 0, count = 0] = process.argv.slice(2).map(Number)
const token = process.env.LULL_BENCH_TOKEN ?? ''
const now = (): number => Number(process.hrtime.bigint()) / 1e6

/** Delays by tenths of a millisecond, the last for all that are longer. */
const delays = new Uint32Array(100_000)
let isMeasuring = false
let longest = 0

function noteDelay(ms: number): void {
  const at = Math.min(delays.length - 1, Math.max(0, Math.floor(ms * 10)))
  delays[at] = (delays[at] as number) + 1
  longest = Math.max(longest, ms)
}

function delayAt(share: number): number {
  const wanted = share * delays.reduce((sum, one) => sum + one, 0)
  let sum = 0
  for (const [at, one] of delays.entries()) {
    sum += one
    if (sum >= wanted && sum > 0) return at / 10
  }
  return Number.NaN
}

const retryMs = 100

/** The whole number that begins there: cheaper than a slice of each of a quarter of a million events a second. */
function digitsAt(text: string, from: number): number {
  let value = 0
  for (let at = from; ; at++) {
    const digit = text.charCodeAt(at) - 48
    if (!(digit >= 0 && digit <= 9)) return value
    value = value * 10 + digit
  }
}

function newClient() {
  /** Of each session, the number of its newest signal. */
  const newest = new Uint32Array(count)
  const figures = { events: 0, lost: 0, disordered: 0, snapshots: 0 }
  let epoch = ''
  let seq = 0
  let firstAt = Number.POSITIVE_INFINITY
  let epochs = 0
  let request: http.ClientRequest | undefined

  /** Reads the row that begins at `from`: `{"id":"s0000012",…"prompt":"@5,123456@ …`. */
  function readRow(text: string, from: number, isSnapshot: boolean, at: number): void {
    const index = digitsAt(text, from + 8)
    const mark = text.indexOf('"prompt":"@', from) + 11
    const number = digitsAt(text, mark)
    const before = newest[index] as number
    newest[index] = number
    if (isSnapshot || number === before) return
    if (number < before) figures.disordered++
    else figures.lost += number - before - 1
    if (isMeasuring) noteDelay(at - digitsAt(text, text.indexOf(',', mark) + 1) / 1000)
  }

  function readEvent(text: string, from: number, end: number, at: number): void {
    if (!text.startsWith('id: ', from)) return
    const dash = text.indexOf('-', from)
    const line = text.indexOf('\n', dash)
    const isSameEpoch = epoch !== '' && text.startsWith(epoch, from + 4)
    const number = digitsAt(text, dash + 1)
    if (text.startsWith('event: snapshot', line + 1)) {
      if (!isSameEpoch) epochs++
      figures.snapshots++
      for (
        let row = text.indexOf('{"id":"', line);
        row !== -1 && row < end;
        row = text.indexOf('{"id":"', row + 1)
      )
        readRow(text, row, true, at)
    } else {
      figures.events++
      if (!isSameEpoch || number !== seq + 1) figures.disordered++
      if (text.startsWith('event: session.changed', line + 1))
        readRow(text, text.indexOf('{"id":"', line), false, at)
    }
    if (!isSameEpoch) epoch = text.slice(from + 4, dash)
    seq = number
    firstAt = Math.min(firstAt, at)
  }

  function connect(): void {
    firstAt = Number.POSITIVE_INFINITY
    let rest = ''
    const headers = {
      authorization: `Bearer ${token}`,
      ...(epoch === '' ? {} : { 'last-event-id': `${epoch}-${seq}` }),
    }
    const again = () => {
      firstAt = Number.POSITIVE_INFINITY
      setTimeout(connect, retryMs)
    }
    let isAnswered = false
    request = http.get({ host: '127.0.0.1', port, path: '/v1/events', headers, agent: false }, response => {
      isAnswered = true
      response.on('data', (piece: Buffer) => {
        const at = now()
        const text = rest + piece.toString('latin1')
        let from = 0
        for (let end = text.indexOf('\n\n'); end !== -1; end = text.indexOf('\n\n', from)) {
          readEvent(text, from, end, at)
          from = end + 2
        }
        rest = text.slice(from)
      })
      response.on('error', () => undefined)
      response.on('close', again)
    })
    request.on('error', () => {
      if (!isAnswered) again()
    })
  }

  return {
    connect,
    figures,
    cut: () => request?.destroy(),
    firstAt: () => firstAt,
    epochs: () => epochs,
    missing: (filed: number): number =>
      newest.reduce(
        (sum, number, index) => sum + Math.max(0, Math.ceil((filed - index) / count) - number),
        0,
      ),
  }
}

const clients: ReturnType<typeof newClient>[] = []

async function until(isSo: () => boolean, ms: number): Promise<void> {
  const end = now() + ms
  while (!isSo() && now() < end) await new Promise(resolve => setTimeout(resolve, 10))
}

const areConnected = (): boolean => clients.every(client => client.firstAt() < Number.POSITIVE_INFINITY)

async function carryOut(order: ClientsOrder): Promise<number> {
  switch (order.do) {
    case 'open': {
      const opened = Array.from({ length: order.clients }, newClient)
      clients.push(...opened)
      for (const { connect } of opened) connect()
      await until(areConnected, 30_000)
      return 0
    }
    case 'measure':
      isMeasuring = true
      return 0
    case 'check': {
      const missing = () => clients.reduce((sum, client) => sum + client.missing(order.filed), 0)
      await until(() => missing() === 0, order.ms)
      isMeasuring = false
      return missing()
    }
    case 'cut':
      for (const { cut } of clients) cut()
      await until(() => !areConnected(), 1000)
      await until(areConnected, 30_000)
      return 0
    case 'await restart': {
      await until(
        () => clients.every(({ epochs, firstAt }) => epochs() === 2 && firstAt() < Infinity),
        60_000,
      )
      return clients.filter(({ epochs }) => epochs() !== 2).length
    }
  }
}

process.once('disconnect', () => process.exit())
process.on('message', async (order: ClientsOrder) => {
  const missing = await carryOut(order)
  const sum = (what: 'events' | 'lost' | 'disordered' | 'snapshots') =>
    clients.reduce((all, { figures }) => all + figures[what], 0)
  const reply: ClientsReply = {
    at: Math.max(0, ...clients.map(({ firstAt }) => firstAt())),
    ...{ events: sum('events'), lost: sum('lost') + missing, disordered: sum('disordered') },
    ...{ snapshots: sum('snapshots'), p50: delayAt(0.5), p99: delayAt(0.99), longest },
  }
  process.send?.(reply)
})
