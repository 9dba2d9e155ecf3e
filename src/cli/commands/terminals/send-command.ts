/** `lull send SESSION TEXT`: types, and with `--wait` reports what came of it. */

import { leftOf, limitClosing, limitTo } from '../../../connect/time-limit.ts'
import { sentenceFor } from '../../../core/error-sentence.ts'
import { exitCode } from '../../../core/exit-codes.ts'
import { LullError } from '../../../core/lull-error.ts'
import { formatDuration } from '../../../core/text/duration.ts'
import type { SendResult, Terminal } from '../../../drive/open-terminal.ts'
import { agentMs, type TypeOptions } from '../../../drive/terminal-options.ts'
import { readTextToType } from '../../../drive/text-to-type.ts'
import { answerFields, answerSentence, codeOf } from '../../../drive/wait/answer-fields.ts'
import { backgroundFlag } from '../../flags/flag-values.ts'
import { readTerminalWait, type TerminalWaitFlags } from '../../flags/terminal-flags.ts'
import { lines, onNotice, print } from '../../ui/print.ts'
import { printEvent, type TerminalFlags, withTerminal } from '../../with-terminal.ts'

export type SendFlags = TerminalFlags &
  TerminalWaitFlags & {
    readonly file?: string
    readonly enter?: boolean
    readonly force?: boolean
    readonly clear?: boolean
    readonly append?: boolean
    readonly wait?: boolean
    readonly askCode?: boolean
    readonly ignoreBackground?: boolean | string
  }

export async function sendCommand(
  address: string,
  text: string | undefined,
  flags: SendFlags,
): Promise<void> {
  const bytes = textOf(text, flags.file)
  if (bytes.length === 0 && flags.clear !== true && flags.append !== true)
    throw new LullError('USAGE', 'the text is empty; to press only Enter: lull keys SESSION Enter')
  const wait = readTerminalWait(flags)
  const ignoreBackground = backgroundFlag(flags.ignoreBackground)
  const isWaiting = flags.wait === true || flags.for !== undefined
  if (!isWaiting) refuseWaitFlags(flags)
  if (ignoreBackground && flags.for !== undefined) throw noTurns()
  const { timeout } = wait
  limitTo(timeout)
  const options: TypeOptions = {
    enter: flags.enter !== false,
    force: flags.force === true,
    clear: flags.clear === true,
    append: flags.append === true,
  }
  await withTerminal(address, flags, async (terminal, lull) => {
    const first = { ...wait, ...leftOf(timeout) }
    const begun = performance.now()
    const agent =
      isWaiting && flags.for === undefined ? await agentIn(terminal, flags, first.timeout) : undefined
    if (ignoreBackground && !agent) throw noTurns()
    const json = flags.json === true
    const left = { ...first, ...remaining(first.timeout, begun) }
    const typing = isWaiting ? { ...options, wait: left, asksCode: flags.askCode === true } : options
    if (agent) {
      const { sendToAgent } = await import('./send-agent.ts')
      await sendToAgent(agent, terminal, bytes, options, {
        lull,
        wait: left,
        given: timeout,
        ignoreBackground,
        json,
      })
    } else report(address, terminal, await terminal.send(bytes, typing), flags)
    limitClosing(timeout)
  })
}

/** One that has just begun is waited for: what is typed before its composer shows is lost. */
async function agentIn(terminal: Terminal, { force }: SendFlags, patience = agentMs) {
  if (force) return await terminal.agent()
  const notice = setTimeout(
    onNotice,
    noticeMs,
    'waiting for the agent’s composer; nothing has been typed yet',
  )
  return await terminal.agent(patience).finally(() => clearTimeout(notice))
}

/** ms */
const noticeMs = 1000

const remaining = (timeout: number | undefined, begun: number) =>
  timeout === undefined ? {} : { timeout: Math.max(0, timeout - (performance.now() - begun)) }

function textOf(text: string | undefined, file: string | undefined): Buffer {
  if (text !== undefined && file !== undefined)
    throw new LullError('USAGE', 'the text and --file exclude each other; give one')
  if (text !== undefined) return Buffer.from(text, 'utf8')
  if (file === undefined) throw new LullError('USAGE', 'no text given; add it, or --file FILE (- for stdin)')
  try {
    return readTextToType(file)
  } catch (error) {
    throw new LullError(
      'USAGE',
      sentenceFor(error, `--file ${file}`) ?? `--file ${file}: ${(error as Error).message}`,
    )
  }
}

/** Flags of a wait that is not asked for. */
function refuseWaitFlags(flags: SendFlags): void {
  const { timeout, promptPattern, strategy, stable, ignoreBackground, askCode } = flags
  const all = [timeout, promptPattern, strategy, stable, ignoreBackground, askCode]
  if (all.every(flag => flag === undefined)) return
  throw new LullError(
    'USAGE',
    '--timeout, --prompt-pattern, --strategy, --stable, --ask-code and --ignore-background need --wait',
  )
}

const noTurns = (): LullError =>
  new LullError('USAGE', '--ignore-background needs an agent; a terminal has no turns')

function report(address: string, { pane }: Terminal, sent: SendResult, flags: SendFlags): void {
  const { answer, bytes, isEntered: entered, isRead: read, rows = [], took = 0, unasked } = sent
  const isStopped = !read && !entered && flags.enter !== false
  if (unasked !== undefined) onNotice(`the exit code is unknown: ${unasked}`)
  process.exitCode = isStopped ? exitCode.timeout : answer ? codeOf(answer) : exitCode.reached
  if (flags.json) {
    const sentFields = { pane: pane.id, bytes, entered, read }
    if (answer)
      printEvent({
        event: 'ended',
        sent: sentFields,
        ...answerFields(answer),
        took: Math.round(took) / 1000,
        new: rows.join('\n'),
      })
    else printEvent({ event: 'sent', ...sentFields })
    return
  }
  if (isStopped)
    onNotice(
      `the text was typed but not read in time, so Enter was not pressed; clear the line with lull keys ${address} C-u, or replace it with lull send ${address} TEXT --clear`,
    )
  else if (!read && !answer) onNotice('typed ahead: no program has read it yet')
  if (answer) print(lines(`${answerSentence(answer)}, after ${formatDuration(took)}`, ...rows))
}
