/**
 * Which of its prompts a shell shows, by its own memory: bash and zsh keep that in variables with public names (parse.y;
 * zle_main.c). It separates a continuation prompt from a new command, however the prompt looks.
 */
import { tailScreen } from '../classify/screen-text.ts'
import { programName } from '../classify/shells.ts'
import type { PromptPart, TerminalProcess } from './probed.ts'
import { isOwn, type Variables, variablesOf } from './variables.ts'

/** Undefined where it is another program, or its memory may not be read. */
export function promptPart(process: TerminalProcess): PromptPart | undefined {
  const how = parts[programName(process)]
  return how && isOwn(process) ? how.read(variablesOf(process, how.library)) : undefined
}

/** Longer ones wrap, and stand on no one line. */
const longestPrompt = 256

/** The last line of what bash shows, without what is no text; undefined where that is not known. */
export function promptText(process: TerminalProcess): string | undefined {
  if (programName(process) !== 'bash' || !isOwn(process)) return undefined
  const { pointer, bytes } = variablesOf(process)
  const at = pointer('current_readline_prompt')
  const text = at ? bytes(at, longestPrompt)?.toString() : undefined
  const end = text?.indexOf('\0') ?? -1
  return end < 0 ? undefined : tailScreen(text?.slice(0, end).replace(hidden, '') ?? '').rows[0]
}

/** Readline shows nothing of what is between these two. */
const hidden = /\x01[^\x02]*\x02?/g

/** `prompt_again` of parse.y keeps what it showed; two that are not set are alike. */
function bash({ pointer }: Variables): PromptPart | undefined {
  const [shown, first, rest] = [
    pointer('current_prompt_string'),
    pointer('ps1_prompt'),
    pointer('ps2_prompt'),
  ]
  if (shown === undefined || first === rest) return undefined
  return shown === rest ? 'rest' : shown === first ? 'first' : undefined
}

/** ZLCON_LINE_START, ZLCON_LINE_CONT of zle.h; select and vared are others. */
function zsh({ int }: Variables): PromptPart | undefined {
  return int('zleactive') ? (['first', 'rest'] as const)[int('zlecontext') ?? -1] : undefined
}

type Reader = {
  readonly read: (variables: Variables) => PromptPart | undefined
  readonly library?: RegExp
}

const parts: Readonly<Record<string, Reader>> = {
  bash: { read: bash },
  zsh: { read: zsh, library: /^zle\.so$/ },
}
