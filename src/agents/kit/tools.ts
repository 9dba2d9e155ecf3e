/**
 * Tools: which ask the person a question, and what a tool works on. The latter is read from the shape of the input, not from
 * the tool's name, and is only shown: no verdict depends on it.
 */
import type { WaitingFor } from '../../core/state.ts'
import { isRecord, parseJson } from '../../core/trace/trace.ts'
import { table } from './agent.ts'

/** Names by their letters alone: of one tool, versions and CLIs write `ask_user_question` and `AskUserQuestion`. */
const reasons = table<WaitingFor>({
  // Claude Code, Qwen Code
  askuserquestion: 'question',
  // Claude Code, Gemini CLI, Qwen Code, Copilot CLI
  exitplanmode: 'plan',
  // Codex
  requestuserinput: 'question',
  // Gemini CLI, Copilot CLI
  askuser: 'question',
  // OpenCode, and the extension that pi shows as its example
  question: 'question',
  questionnaire: 'question',
  planexit: 'plan',
  // Cline
  askquestion: 'question',
  askfollowupquestion: 'question',
  planmoderespond: 'plan',
})

/** Why a person must answer this tool; none where it works by itself, or asks for permission like any other. */
export const askReason = (tool: string | undefined): WaitingFor | undefined =>
  reasons.get((tool ?? '').replace(/[_-]/g, '').toLowerCase())

/** The first question of such a tool's input. */
export function questionIn(input: unknown): string | undefined {
  if (!isRecord(input)) return undefined
  const first: unknown = Array.isArray(input.questions) ? input.questions[0] : input
  const asked = isRecord(first) ? first.question : undefined
  return typeof asked === 'string' ? asked : undefined
}

/** Fields that describe the work, the most useful first: the search text before the folder. */
const descriptive = [
  'questions',
  'question',
  'command',
  'cmd',
  'commands',
  'file_path',
  'filePath',
  'notebook_path',
  'absolute_path',
  'url',
  'uri',
  'query',
  'pattern',
  'path',
  'paths',
  'dir_path',
  'files',
  'file_paths',
  'changes',
  'skill',
  'description',
  'prompt',
  'patchText',
  'patch',
  'input',
  'code',
] as const

/** Facts are cut to this many characters. */
const longest = 200
/** A whole file may stand in an input. */
const longestText = 4000
/** Inputs within inputs: a list of questions in a text of JSON. */
const deepest = 6

/** @returns undefined where no field describes the work */
export function aboutOf(input: unknown, depth = 0): string | undefined {
  if (depth > deepest) return undefined
  if (typeof input === 'string') return ofText(input, depth)
  if (Array.isArray(input)) return ofList(input, depth)
  if (!isRecord(input)) return undefined
  for (const field of descriptive) {
    const about = field in input ? aboutOf(input[field], depth + 1) : undefined
    if (about !== undefined) return about
  }
  return undefined
}

/** Of JSON that is cut off: a long command, a patch. */
const firstText = /^\{\s*"(?:cmd|command|input)"\s*:\s*"((?:[^"\\]|\\.){1,400})/

/** Some write their arguments as a text of JSON, and a patch as it is: its first file is what it is about. */
function ofText(text: string, depth: number): string | undefined {
  const begun = text.slice(0, longestText).trim()
  if (begun.startsWith('{') && text.length <= longestText) {
    const parsed = parseJson(text)
    if (isRecord(parsed)) return aboutOf(parsed, depth + 1)
  }
  if (begun.startsWith('{')) return cut(String(parseJson(`"${firstText.exec(begun)?.[1] ?? ''}"`)))
  const patched = /^\*\*\* (?:Add|Update|Delete) File: (.+)$/m.exec(begun)?.[1]
  return cut(patched ?? begun)
}

/** The words of a command line, or several commands, or files. */
function ofList(list: readonly unknown[], depth: number): string | undefined {
  const texts = list.filter(one => typeof one === 'string')
  if (texts.length === 0) return list.length === 0 ? undefined : aboutOf(list[0], depth + 1)
  const [shell = '', flag = '', script] = texts
  if (/^(?:\S*\/)?(?:ba|z|da|k)?sh$/.test(shell) && /^-\w*c$/.test(flag) && script !== undefined)
    return cut(script)
  return cut(texts.slice(0, mostTexts).join(' '))
}
const mostTexts = 50

const cut = (text: string): string | undefined => text.trim().slice(0, longest) || undefined

/** The command of an input, as a permission for it names it. */
export const commandOf = (input: unknown): string | undefined =>
  isRecord(input) && typeof input.command === 'string' ? input.command.slice(0, longestText) : undefined

/** The first words of a prompt; none of one without words. */
export const promptOf = (text: unknown): string | undefined =>
  typeof text === 'string' ? cut(text.slice(0, longestText)) : undefined

/** The prompt in a message's content: a text, or the first of its parts that is one. */
export function promptIn(content: unknown): string | undefined {
  if (!Array.isArray(content)) return promptOf(content)
  return promptOf(content.filter(isRecord).find(part => typeof part.text === 'string')?.text)
}
