/** A terminal on the machine of a host, driven over HTTP. What is typed is checked there, as `lull send` checks it. */
import { defined } from '../../core/defined.ts'
import { LullError } from '../../core/lull-error.ts'
import { openHandle } from '../../core/open-handle.ts'
import { parseJson } from '../../core/trace/trace.ts'
import type { Answered } from '../../drive/dialog/answer-dialog.ts'
import type { ShownDialog } from '../../drive/dialog/shown-dialog.ts'
import type { SendResult, Terminal } from '../../drive/open-terminal.ts'
import { refusedToType } from '../../drive/refusal.ts'
import { agentMs, type TypeOptions, terminalChecks, type WaitOptions } from '../../drive/terminal-options.ts'
import type { Answer } from '../../drive/wait/wait-answer.ts'
import type { LiveSession } from '../../sessions/session-source.ts'
import { isShaped } from '../../shapes/wire.ts'
import type { Wire } from '../../shapes/wire-shapes.ts'
import type { ApiClient } from './api-client.ts'
import { refuseCall, refuseOptions } from './refuse-remote.ts'

/** Of a request, beside what it asks the host to wait for. ms */
const graceMs = 30_000
/** The API waits no longer. ms */
const longestWait = 600_000
const mostLines = 10_000

const goesOn = 'an action that the host has begun goes on'
const typing = {
  force: 'the API never types by force',
  unless: 'it is asked on this machine',
  signal: goesOn,
}
const noCode = { asksCode: 'the API types no line of its own' }
const waiting = {
  for: 'the API waits until the terminal is ready',
  promptPattern: 'the API decides by the kernel',
  strategy: 'the API decides by the kernel',
  stableCaptures: 'the API decides by the kernel',
  signal: goesOn,
}

/**
 * @param find a session by its id
 * @throws {LullError} as `lull.terminal` does
 */
export async function remoteTerminal(
  address: string,
  isReadOnly: boolean,
  api: ApiClient,
  find: (id: string) => Promise<LiveSession>,
): Promise<Terminal> {
  const handle = openHandle('this terminal was closed: open it again')
  const path = `/v1/sessions/${encodeURIComponent(address)}`

  async function state(query: Readonly<Record<string, string>> = {}, patience = 0) {
    const text = await api.read(`${path}/terminal?${new URLSearchParams(query)}`, {
      patience: patience + graceMs,
    })
    const found = parseJson(text)
    return api.understood(isShaped('terminalState', found) ? found : undefined)
  }

  async function act(what: string, body: object, patience?: number): Promise<unknown> {
    if (isReadOnly)
      throw refusedToType('failed', 'this terminal was opened to be read only: nothing was typed')
    return api.act(`${path}/${what}`, body, patience)
  }

  const dialog = async (): Promise<ShownDialog | undefined> =>
    (await state({ dialog: 'true' })).dialog as ShownDialog | undefined

  const methods: Omit<Terminal, 'pane' | 'close' | typeof Symbol.asyncDispose> = {
    observe: async () => refuseCall('observe'),
    settle: async () => refuseCall('settle'),
    waitReady: async () => refuseCall('waitReady'),
    async agent(patience) {
      const query = { agent: 'true', ...defined({ patience: patience?.toString() }) }
      const { agent } = await state(query, patience)
      return agent === undefined ? undefined : find(agent)
    },
    async send(text, options = {}) {
      const sent = await act('send', sendBody(text, options), (options.wait?.timeout ?? agentMs) + graceMs)
      return api.understood(sendResult(sent))
    },
    async keys(names, options = {}) {
      refuseOptions('keys', options, typing)
      await act('keys', { keys: names })
    },
    dialog,
    async answer(choice, { dialog: expected, ...options } = {}) {
      refuseOptions('answer', options, { ...typing, onGiven: 'an answer is read once it is whole' })
      const body = {
        // No dialog has this id: the host refuses then, and says what is shown.
        dialog: expected ?? (await dialog())?.id ?? '-',
        ...(options.text === undefined ? { choice } : { text: options.text }),
        full: true,
      }
      const answered = await act('answer', body)
      return api.understood(answerResult(answered))
    },
    async read({ lines = 100, screen = false, raw = false } = {}) {
      if (lines > mostLines) throw new LullError('USAGE', `read: over HTTP lines may be ${mostLines} at most`)
      if (lines === 0 && !screen) return []
      const query = new URLSearchParams({
        format: raw ? 'ansi' : 'text',
        ...(screen ? {} : { lines: `${lines}` }),
      })
      const shown = parseJson(await api.read(`${path}/screen?${query}`, { patience: graceMs }))
      return api.understood(isShaped('screenRows', shown) ? shown.rows : undefined)
    },
  }

  const { pane } = await state()
  const close = async (): Promise<void> => handle.close()
  return { pane, ...handle.guard(methods, terminalChecks), close, [Symbol.asyncDispose]: close }
}

/** @throws {LullError} USAGE */
function sendBody(text: string | Buffer, { wait, ...options }: TypeOptions): object {
  refuseOptions('send', options, { ...typing, ...noCode })
  const { enter, clear, append } = options
  if (clear && append) throw new LullError('USAGE', 'clear and append exclude each other: give one')
  return {
    text: plainText(text),
    ...defined({ enter, clear, append }),
    ...(wait ? { ready: readyIn(wait) } : {}),
  }
}

function readyIn(wait: WaitOptions): number | true {
  refuseOptions('send: wait', wait, waiting)
  const { timeout } = wait
  if (timeout === undefined) return true
  if (timeout > longestWait)
    throw new LullError(
      'USAGE',
      `send: over HTTP the timeout of a wait is ${longestWait} ms at most; use lull.waitFor() for more`,
    )
  return timeout / 1000
}

function plainText(text: string | Buffer): string {
  if (typeof text === 'string') return text
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(text)
  } catch {
    throw new LullError('USAGE', 'send: over HTTP a text must be UTF-8')
  }
}

function sendResult(sent: unknown): SendResult | undefined {
  if (!isShaped('sentText', sent)) return undefined
  const { bytes, entered: isEntered, read: isRead } = sent
  const done = { bytes, isEntered, isRead }
  if (!isShaped('sentWait', sent)) return done
  const { new: rows, took } = sent
  // Seconds there.
  return { ...done, answer: answerIn(sent), ...defined({ rows, took: took && took * 1000 }) }
}

/** Without its verdict, which the API has as words. */
function answerIn({ screen, ...sent }: Wire['sentWait']): Answer {
  const { outcome, state, confidence, evidence, promptLine, exitCode, signal, pid } = sent
  return {
    ...{ outcome, state, confidence, evidence, promptLine, pid },
    ...defined({ exitCode, signal }),
    screen: screen.split('\n'),
  } as Answer
}

function answerResult(answered: unknown): Answered | undefined {
  if (!isShaped('answeredDialog', answered)) return undefined
  const { chosen, confirmed: isGone, shown } = answered
  return { ...shown, chosen, isGone } as Answered
}
