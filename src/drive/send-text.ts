/**
 * Text, then Enter, each once what came before has been read. What the pane does is judged again right before each of
 * the two.
 */

import { hasConsumed, isReading, type Typed } from '../terminal/consumption.ts'
import type { DrivenTerminal } from '../terminal/observer.ts'
import type { Observation } from '../terminal/observer-step.ts'
import type { Probe } from '../terminal/probe/probed.ts'
import { type Judged, refusal, refusedToType } from './refusal.ts'

export type SendOptions = {
  /** Presses Enter after the text; a line end that the text ends with is that Enter. */
  readonly enter: boolean
  /** Types although it is not known what an agent does. Never into a permission, trust or password. */
  readonly force: boolean
  /** How long the text may take to be read, ms. */
  readonly timeout: number
  /** Told right before Enter: what was printed so far is the echo of the text. */
  readonly entering?: () => Promise<void>
  /** Finds the agent that an observation shows. */
  readonly judge: (observation: Observation) => Promise<Judged>
}

export type Sent = {
  /** Bytes of the text. */
  readonly bytes: number
  readonly isEntered: boolean
  /** All has been read. If not, it waits in the terminal (typed ahead), or the program takes nothing. */
  readonly isRead: boolean
  /** Whether all has been read, as a later observation tells. */
  readonly isConsumed: (observation: Observation) => boolean
}

const lineFeed = 0x0a
const enterKey = Buffer.from('\r')

/** How long Enter may take to be read before it counts as typed ahead: ms. */
const enterMs = 1000

/** @throws {LullError} REFUSED_TO_TYPE, REFUSED, ENDED */
export async function sendText(
  pane: DrivenTerminal,
  given: string | Buffer,
  options: SendOptions,
): Promise<Sent> {
  const whole = Buffer.from(given)
  const text = options.enter ? withoutLineEnd(whole) : whole
  checkBytes(text)
  await pane.holder.hear()
  let typed = await typeText(pane, text, options)
  if (typed && isRaw(typed.before) && !(await isRead(pane, typed, options.timeout)))
    return sent(text, typed, false)
  if (!options.enter) return sent(text, typed, true)
  await judged(pane, options, text.length)
  // A terminal that collects lines hands none of this one out before Enter.
  const isOpen = typed !== undefined && !isRaw(typed.before)
  if (isOpen && typed) await echoed(pane, typed)
  await options.entering?.()
  const before = isOpen && typed ? typed.before : pane.probe()
  const at = performance.now()
  await typeBytes(pane, enterKey, { isPaste: false })
  typed = { before, bytes: (isOpen ? text.length : 0) + 1, at, isEntered: true }
  return sent(text, typed, await isRead(pane, typed, enterMs))
}

/** @throws {LullError} REFUSED_TO_TYPE, REFUSED, ENDED */
async function typeBytes(
  { holder }: DrivenTerminal,
  bytes: Buffer,
  how: { readonly isPaste: boolean },
): Promise<void> {
  if (await holder.type(bytes, how)) return
  throw refusedToType(
    'gone',
    `the pane ${holder.id} has ended, or holds another program now: nothing was typed`,
  )
}

/** Enter is pressed once, although a file ends with a line end. */
function withoutLineEnd(text: Buffer): Buffer {
  if (text.at(-1) !== lineFeed) return text
  return text.subarray(0, text.at(-2) === 0x0d ? -2 : -1)
}

async function typeText(
  pane: DrivenTerminal,
  text: Buffer,
  options: SendOptions,
): Promise<Typed | undefined> {
  const observation = await judged(pane, options, 0)
  if (text.length === 0) return undefined
  if (!isRaw(observation.probe)) checkLines(text)
  if (isMixedUp(observation)) return typeLines(pane, text, options)
  const before = pane.probe()
  const isPaste = isPasted(text)
  const at = performance.now()
  await typeBytes(pane, text, { isPaste })
  const isBracketed = isPaste && observation.probe.stream?.bracketedPaste?.on
  const bytes = text.length + (isBracketed ? bracketBytes : 0)
  return { before, bytes, at, isEntered: false }
}

/** ksh93 knows no pastes, and mixes up lines of which it reads several at once. */
function isMixedUp({ probe, verdict }: Observation): boolean {
  const { processes } = probe.inner ?? probe
  const reader = processes.find(({ pid }) => pid === verdict.reader)
  return isRaw(probe) && /^r?ksh(93)?$/.test(reader?.program ?? reader?.name ?? '')
}

/** Each line once the last was read. */
async function typeLines(
  pane: DrivenTerminal,
  text: Buffer,
  options: SendOptions,
): Promise<Typed | undefined> {
  let typed: Typed | undefined
  for (let from = 0; from < text.length; ) {
    const end = text.indexOf(lineFeed, from) + 1 || text.length
    if (typed && !(await isRead(pane, typed, options.timeout))) return typed
    const before = pane.probe()
    const at = performance.now()
    await typeBytes(pane, text.subarray(from, end), { isPaste: true })
    typed = { before, bytes: end - from, at, isEntered: false }
    from = end
  }
  return typed
}

/** @throws {LullError} REFUSED_TO_TYPE where nothing may be typed now */
async function judged(
  pane: DrivenTerminal,
  { judge, force }: SendOptions,
  typed: number,
): Promise<Observation> {
  const first = await pane.settle(settleMs)
  const isQuiet = first.verdict.observeAgainIn === undefined
  const observation = isQuiet ? first : await pane.settle(quietMs)
  const refused = refusal(await judge(observation), force)
  if (refused && typed > 0)
    throw refusedToType(
      refused.facts.outcome,
      `${refused.message} (the text is typed, Enter was not pressed)`,
      typed,
    )
  if (refused) throw refused
  return observation
}

/** What an observation may take to be conclusive: ms. A pane that never rests is judged as it is then. */
const settleMs = 300

/** On another machine a password is known by its words alone, once it was quiet for 500 ms: such an observation is waited for. ms */
const quietMs = 1200

const isRaw = ({ inner, termios }: Probe): boolean => (inner?.termios ?? termios)?.canonical === false

/** Resolves once it has been read, and the reader waits for more; false where that takes longer than `patience` ms. */
async function isRead(pane: DrivenTerminal, typed: Typed, patience: number): Promise<boolean> {
  const end = performance.now() + patience
  for (let delay = 1; ; delay = Math.min(delay * 2, 20)) {
    const now = pane.probe()
    if (hasConsumed(typed, now) && (typed.isEntered || isReading(now))) return true
    if (performance.now() >= end) return hasConsumed(typed, now)
    await pane.holder.output.woken(delay)
  }
}

/** A terminal echoes at once, but what it prints takes a while to come. ms */
const echoMs = 100

async function echoed(pane: DrivenTerminal, { before, at }: Typed): Promise<void> {
  if ((before.inner ?? before).termios?.echo !== true) return
  const isHeard = () => (pane.probe().stream?.lastOutput ?? 0) > at
  while (!isHeard() && performance.now() < at + echoMs) await pane.holder.output.woken(echoMs)
}

function sent(text: Buffer, typed: Typed | undefined, isAllRead: boolean): Sent {
  let isDone = isAllRead
  return {
    bytes: text.length,
    isEntered: typed?.isEntered ?? false,
    isRead: isAllRead,
    isConsumed: ({ probe }) => {
      isDone ||= typed === undefined || hasConsumed(typed, probe)
      return isDone
    },
  }
}

/** `ESC [ 200 ~` before and `ESC [ 201 ~` after. */
const bracketBytes = 12
const pasteEnd = '\u001b[201~'

/** Longer texts are pasted: a line editor that redraws at each key is slow. */
const longestTyped = 1024

/** As keys, control characters and line ends would do things; as a paste they are text, where the program knows pastes. */
const isPasted = (text: Buffer): boolean =>
  text.length > longestTyped || text.some(byte => byte < 0x20 || byte === 0x7f)

function checkBytes(text: Buffer): void {
  if (text.includes(0))
    throw refusedToType('failed', 'the text holds a NUL byte: lull keys … C-Space types one')
  if (text.includes(pasteEnd))
    throw refusedToType(
      'failed',
      'the text holds the mark that ends a paste (ESC [ 201 ~): what follows it would be keys',
    )
}

/** Linux keeps 4,096 bytes of a line that a program reads whole (N_TTY_BUF_SIZE), its end included. */
const longestLine = 4095

function checkLines(text: Buffer): void {
  const lengths = text
    .toString('latin1')
    .split(/[\r\n]/)
    .map(({ length }) => length)
  const at = lengths.findIndex(length => length > longestLine)
  if (at < 0) return
  throw refusedToType(
    'failed',
    `line ${at + 1} has ${lengths[at]} bytes, and this program reads whole lines, of which the terminal keeps ${longestLine}: nothing was typed`,
  )
}
