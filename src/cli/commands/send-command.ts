/** `lull send SESSION TEXT`: types, and with `--wait` reports what came of it. */

import { readFileSync } from 'node:fs'
import { exitCode, LullError, sentenceFor } from '../../core.ts'
import type { SendResult, Terminal, TypeOptions } from '../../drive/open-terminal.ts'
import { readTerminalWait, type TerminalWaitFlags } from '../flags/terminal-flags.ts'
import { answerFields, answerText, codeOf } from '../ui/print-answer.ts'
import { printJson, type TerminalFlags, withTerminal } from '../with-terminal.ts'
import { sendToAgent } from './send-agent.ts'

export type SendFlags = TerminalFlags &
  TerminalWaitFlags & {
    readonly file?: string
    readonly enter?: boolean
    readonly force?: boolean
    readonly wait?: boolean
  }

export async function sendCommand(
  address: string,
  text: string | undefined,
  flags: SendFlags,
): Promise<void> {
  const bytes = textOf(text, flags.file)
  const wait = readTerminalWait(flags)
  const isWaiting = flags.wait === true || flags.for !== undefined
  if (!isWaiting) refuseWaitFlags(flags)
  const options: TypeOptions = { enter: flags.enter !== false, force: flags.force === true }
  await withTerminal(address, flags, async (terminal, lull) => {
    const agent = isWaiting && flags.for === undefined ? await terminal.agent() : undefined
    if (agent)
      await sendToAgent(agent, terminal, bytes, options, {
        lull,
        wait,
        json: flags.json === true,
      })
    else report(terminal, await terminal.send(bytes, { ...options, ...(isWaiting ? { wait } : {}) }), flags)
  })
}

function textOf(text: string | undefined, file: string | undefined): Buffer {
  if ((text === undefined) === (file === undefined))
    throw new LullError('USAGE', 'what is to be typed? give the text, or --file FILE (- for standard input)')
  if (text !== undefined) return Buffer.from(text, 'utf8')
  try {
    return readFileSync(file === '-' ? 0 : (file as string))
  } catch (error) {
    throw new LullError(
      'USAGE',
      sentenceFor(error, `--file ${file}`) ?? `--file ${file}: ${(error as Error).message}`,
    )
  }
}

/** Flags of a wait that is not asked for. */
function refuseWaitFlags({ timeout, promptPattern, strategy }: SendFlags): void {
  if (timeout === undefined && promptPattern === undefined && strategy === undefined) return
  throw new LullError('USAGE', '--timeout, --prompt-pattern and --strategy are for --wait: give it, too')
}

function report({ pane }: Terminal, sent: SendResult, flags: SendFlags): void {
  const { answer, bytes, isEntered: entered, isRead: read } = sent
  const isStopped = !read && !entered && flags.enter !== false
  process.exitCode = isStopped ? exitCode.timeout : answer ? codeOf(answer) : exitCode.reached
  if (flags.json) {
    const sentFields = { pane: pane.id, bytes, entered, read }
    if (answer) printJson({ event: 'ended', sent: sentFields, ...answerFields(answer) })
    else printJson({ event: 'sent', ...sentFields })
    return
  }
  if (isStopped)
    process.stderr.write('lull: the text is typed, but it was not read in time: Enter was not pressed\n')
  else if (!read && !answer) process.stderr.write('lull: typed ahead: nothing has read it yet\n')
  if (answer) process.stdout.write(answerText(answer))
}
