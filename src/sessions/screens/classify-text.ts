/** `lull classify`: one screen as text, or with `--jsonl` a screen a line. */
import {
  classifyScreen,
  readScreenLine,
  rowsOfText,
  type ScreenRow,
} from '../../agents/screen/classify-screen.ts'
import { explainScreen, optionLines, sentenceOf } from '../../agents/screen/explain-screen.ts'
import { LullError } from '../../core/lull-error.ts'
import { streamLines } from '../../os/file/lines.ts'
import type { RulesByAgent } from './rules-by-agent.ts'

const megabyte = 1024 * 1024
const longestScreen = 4 * megabyte

export type LineAnswer = ScreenRow | { readonly error: string }

/** @param agent of lines that name none */
export async function* classifyLines(
  input: AsyncIterable<Buffer | string>,
  rules: RulesByAgent,
  agent: string | undefined,
): AsyncGenerator<LineAnswer> {
  for await (const { number, text } of streamLines(input, longestScreen)) {
    if (text === undefined) {
      yield { error: `line ${number}: is longer than ${longestScreen / megabyte} MB` }
      continue
    }
    const line = readScreenLine(text)
    if ('wrong' in line) yield { error: `line ${number}: ${line.wrong}` }
    else yield classifyScreen(rules.of(line.agent ?? agent), line).row
  }
}

type Asked = { readonly agent: string; readonly title?: string; readonly explain?: boolean }

/** @returns lines for people */
export function classifyText(
  screen: string,
  rules: RulesByAgent,
  { agent, title, explain }: Asked,
): readonly string[] {
  const found = classifyScreen(rules.of(agent), { screen, ...(title === undefined ? {} : { title }) })
  return [
    sentenceOf(found, agent),
    ...optionLines(found.row),
    ...(explain ? explainScreen(found, rowsOfText(screen)) : []),
  ]
}

/** @throws {LullError} USAGE where there is nothing, or too much of it */
export async function readScreenText(input: AsyncIterable<Buffer | string>): Promise<string> {
  const chunks: Buffer[] = []
  let length = 0
  for await (const chunk of input) {
    chunks.push(Buffer.from(chunk))
    length += chunk.length
    if (length > longestScreen) throw new LullError('USAGE', 'stdin: is larger than a screen: at most 4 MB')
  }
  if (length === 0) throw new LullError('USAGE', `stdin is empty: ${wanted}`)
  return Buffer.concat(chunks).toString('utf8')
}

export const wanted = 'give it a screen as text, like tmux capture-pane -p -t %3 | lull classify --agent NAME'
