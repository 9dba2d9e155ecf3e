/** `lull classify --jsonl`: a row for each line, in order, while lines still come. */
import { classifyScreen, readScreenLine, type ScreenRow } from '../../agents/screen/classify-screen.ts'
import { streamLines } from '../../os/file/lines.ts'
import type { RulesByAgent } from './rules-by-agent.ts'

const megabyte = 1024 * 1024
export const longestScreen = 4 * megabyte

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
