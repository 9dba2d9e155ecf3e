/** Types text, then Enter, each once what came before has been read. The pane is judged again right before each of the two. */
import { setTimeout as pause } from 'node:timers/promises'
import { hasConsumed, type Typed } from '../terminal/consumption.ts'
import type { DrivenTerminal } from '../terminal/observer.ts'
import { isConclusive, type Observation } from '../terminal/observer-step.ts'
import { outOfDoubt } from './await-agent.ts'
import { echoed, echoMs, isEchoing, isRaw, isRead, lostEchoMs } from './await-read.ts'
import { clearLine, heldLine, lineRefusal } from './held-line.ts'
import { insertion } from './inserted-line.ts'
import { checkWanted, isLineByLooks, type Judged, refusal, refusedToType } from './refusal.ts'
import { checkOutput } from './stopped-output.ts'
import type { TypeOptions } from './terminal-options.ts'
import { bracketBytes, checkBytes, checkLines, isControl, isPasted } from './text-checks.ts'

export type SendOptions = Pick<TypeOptions, 'signal' | 'unless'> & {
  /** Presses Enter after the text; a line end that the text ends with is that Enter. */
  readonly enter: boolean
  /** Types although it is not known what an agent does, and into what reads no lines. Never into a permission, trust or password. */
  readonly force: boolean
  /** What to do with a line that is not empty: nothing is typed where neither is given. */
  readonly held?: 'clear' | 'append'
  /** How long the text may take to be read, ms; a moment at least: a slow start of lull is no fault of who reads. */
  readonly timeout: number
  /** Called right before Enter: the output so far is the echo of the text. */
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
  /** Right before the text was typed; absent where there was none. */
  readonly before?: Observation
  /** Whether a later observation shows that all has been read. */
  readonly isConsumed: (observation: Observation) => boolean
}

const lineFeed = 0x0a
const enterKey = Buffer.from('\r')
const killLine = Buffer.from('\u0015')

/** What has been typed is read by then, where a program reads, on a busy machine too: ms. */
const leastReadMs = 1000

/** How long Enter may take to be read before it counts as typed ahead: ms. */
const enterMs = 1000

/** @throws {LullError} REFUSED_TO_TYPE, REFUSED, ENDED */
export async function sendText(
  pane: DrivenTerminal,
  given: string | Buffer,
  { timeout: asked, ...others }: SendOptions,
): Promise<Sent> {
  const options = { ...others, timeout: Math.max(asked, leastReadMs) }
  const whole = Buffer.from(given)
  const text = options.enter ? withoutLineEnd(whole) : whole
  checkBytes(text)
  await pane.holder.receiveOutput()
  const typed = await typeText(pane, text, options)
  if (typed && isRaw(typed.before) && !(await isRead(pane, typed, options.timeout, options.signal)))
    return sent(text, typed, false, typed.observation)
  if (typed?.isEchoed && !(await echoed(pane, typed, lostEchoMs))) {
    await typeBytes(pane, killLine, { isPaste: false })
    throw refusedToType(
      'stuck',
      'what was typed did not show: the line was cleared again, Enter was not pressed',
    )
  }
  if (typed?.isInserted && !(await typed.isInserted()))
    throw refusedToType(
      'waitsForPerson',
      'its line does not hold what was typed, it takes keys for something else: Enter was not pressed',
      text.length,
    )
  if (!options.enter) return sent(text, typed, true, typed?.observation)
  if (typed?.isToAgent) await apart(pane, typed)
  const entered = await pressEnter(pane, text, typed, options)
  return sent(text, entered, await isRead(pane, entered, enterMs), typed?.observation)
}

/** Of a line that moves all the time: it is judged each time. */
const mostTries = 3

/** Presses Enter only while the judged line is shown: a dialog may replace it at that moment. */
async function pressEnter(
  pane: DrivenTerminal,
  text: Buffer,
  typed: TypedText | undefined,
  options: SendOptions,
): Promise<Typed> {
  // A terminal that collects lines hands none of this one out before Enter.
  const isOpen = typed !== undefined && !isRaw(typed.before)
  for (let tries = 1; ; tries++) {
    const { observation } = await judged(pane, options, text.length, typed?.isByLooks)
    if (isOpen && typed && isEchoing(typed.before)) await echoed(pane, typed, echoMs)
    await options.entering?.()
    const before = isOpen && typed ? typed.before : pane.probe()
    const at = performance.now()
    checkWanted(options.signal, text.length)
    const shown = typed?.isToAgent && tries < mostTries ? rowsWith(observation, text) : []
    pane.holder.output.entered()
    if (await pane.holder.type(enterKey, { isPaste: false, shown }))
      return { before, bytes: (isOpen ? text.length : 0) + 1, at, isEntered: true }
    if (shown.length === 0) throw notTyped(pane)
  }
}

/** The row that shows the end of what was typed; none where it is shown otherwise. */
function rowsWith({ screen }: Observation, text: Buffer): readonly string[] {
  const end = text.toString().trimEnd().slice(-endLength)
  const row = screen?.rows.findLast(one => end !== '' && one.includes(end))
  return row === undefined ? [] : [row]
}

const endLength = 12

/** @throws {LullError} REFUSED_TO_TYPE, REFUSED, ENDED */
async function typeBytes(
  pane: DrivenTerminal,
  bytes: Buffer,
  how: { readonly isPaste: boolean },
): Promise<void> {
  if (!(await pane.holder.type(bytes, how))) throw notTyped(pane)
}

const notTyped = ({ holder }: DrivenTerminal) =>
  refusedToType('gone', `the pane ${holder.id} has ended, or holds another program now: nothing was typed`)

/** Enter is pressed once, although a file ends with a line end. */
function withoutLineEnd(text: Buffer): Buffer {
  if (text.at(-1) !== lineFeed) return text
  return text.subarray(0, text.at(-2) === 0x0d ? -2 : -1)
}

type TypedText = Typed & {
  readonly observation: Observation
  /** A line editor shows it. */
  readonly isEchoed?: boolean
  readonly isInserted?: () => Promise<boolean>
  /** Only its looks suggested that it reads a line, until the first typed letter showed. */
  readonly isByLooks?: boolean
  readonly isToAgent?: boolean
}

async function typeText(
  pane: DrivenTerminal,
  text: Buffer,
  options: SendOptions,
): Promise<TypedText | undefined> {
  const found = await judgedLine(pane, options)
  const { observation } = found
  if (text.length === 0) return undefined
  if (!isRaw(observation.probe)) checkLines(text)
  const isChecked =
    isRaw(observation.probe) && !options.force && !text.some(isControl) && !found.agent && !found.isStranger
  const checked = isChecked ? { isInserted: insertion(pane, observation, text.toString()) } : {}
  if (isMixedUp(observation)) {
    const typed = await typeLines(pane, text, options)
    return typed && { ...typed, ...checked, observation }
  }
  const before = pane.probe()
  const isPaste = isPasted(text)
  const at = performance.now()
  const isByLooks = isChecked && isLineByLooks(observation)
  const first = isByLooks ? lengthOfFirst(text) : 0
  checkWanted(options.signal)
  if (first > 0) await typeFirst(pane, observation, text.subarray(0, first))
  await typeBytes(pane, text.subarray(first), { isPaste })
  const isBracketed = isPaste && observation.probe.stream?.bracketedPaste?.on
  const bytes = text.length + (isBracketed ? bracketBytes : 0)
  const { state, behind } = observation.verdict
  const isEchoed = state.kind === 'idle' && before.stream !== undefined && !(checked.isInserted && !behind)
  const isToAgent = found.agent !== undefined || found.isStranger
  return { before, observation, bytes, at, isEntered: false, isEchoed, isByLooks, isToAgent, ...checked }
}

/**
 * An agent may take what comes fast for a paste, and Enter within it for a line feed. Measured: Codex 0.169 does, where Enter comes
 * 20 ms after the text; the text then stays in its composer.
 */
async function apart(pane: DrivenTerminal, typed: Typed): Promise<void> {
  await echoed(pane, typed, drawnMs)
  await pause(pasteMs)
}

const drawnMs = 500
const pasteMs = 150

/** A key that does something else than it seems does so once. */
async function typeFirst(pane: DrivenTerminal, observation: Observation, letter: Buffer): Promise<void> {
  const isInserted = insertion(pane, observation, letter.toString())
  await typeBytes(pane, letter, { isPaste: false })
  if (await isInserted()) return
  const why = 'its line does not show the first letter that was typed, it takes keys for something else'
  throw refusedToType('waitsForPerson', why, letter.length)
}

const lengthOfFirst = (text: Buffer): number => Buffer.byteLength([...text.toString()][0] ?? '')

/** Judges the pane before the first key, and that its line is empty or as the caller wants it. @throws {LullError} REFUSED_TO_TYPE */
async function judgedLine(pane: DrivenTerminal, options: SendOptions): Promise<Judged> {
  const found = await judged(pane, options, 0)
  await checkOutput(pane)
  if (options.held === 'clear')
    return clearLine(
      pane,
      found,
      key => pressed(pane, Buffer.from(key)),
      () => judged(pane, options, 0),
    )
  const line = await heldLine(pane, found)
  const isTaken = line.is === 'busy' ? options.force : options.held === 'append'
  if (line.is !== 'empty' && !isTaken) throw lineRefusal(line)
  return found
}

/** Ctrl-C is read by nobody: what comes of it is waited for no longer. ms */
const keyMs = 300

async function pressed(pane: DrivenTerminal, key: Buffer): Promise<void> {
  const typed = { before: pane.probe(), bytes: key.length, at: performance.now(), isEntered: false }
  await typeBytes(pane, key, { isPaste: false })
  await isRead(pane, typed, keyMs)
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
    if (typed && !(await isRead(pane, typed, options.timeout, options.signal))) return typed
    const before = pane.probe()
    const at = performance.now()
    checkWanted(options.signal, from)
    await typeBytes(pane, text.subarray(from, end), { isPaste: true })
    typed = { before, bytes: end - from, at, isEntered: false }
    from = end
  }
  return typed
}

/** @throws {LullError} REFUSED_TO_TYPE where nothing may be typed now */
async function judged(
  pane: DrivenTerminal,
  { judge, force, unless, signal }: SendOptions,
  typed: number,
  hasShown = false,
): Promise<Judged> {
  const look = async () => {
    const first = await pane.settle(settleMs)
    return judge(isConclusive(first) ? first : await pane.settle(quietMs))
  }
  const judgement = force ? await look() : await outOfDoubt(look, () => checkWanted(signal, typed))
  checkWanted(signal, typed)
  const unwanted = unless?.(judgement.agent, judgement.observation.lines)
  const refused =
    refusal(judgement, force, hasShown) ??
    (unwanted === undefined ? undefined : refusedToType('failed', unwanted, typed))
  if (refused && typed > 0) {
    const why = `${refused.message} (the text is typed, Enter was not pressed)`
    throw refusedToType(refused.facts.outcome, why, typed)
  }
  if (refused) throw refused
  return judgement
}

/** What an observation may take to be conclusive: ms. A pane that never rests is judged as it is then. */
const settleMs = 300
/** On another machine a password is known by its words alone, once it was quiet for 500 ms: such an observation is waited for. ms */
const quietMs = 1200

function sent(text: Buffer, typed: Typed | undefined, isAllRead: boolean, before?: Observation): Sent {
  let isDone = isAllRead
  return {
    bytes: text.length,
    isEntered: typed?.isEntered ?? false,
    isRead: isAllRead,
    ...(before ? { before } : {}),
    isConsumed: ({ probe }) => {
      isDone ||= typed === undefined || hasConsumed(typed, probe)
      return isDone
    },
  }
}
