/** The option of a question that takes a text of one's own, and how it takes it. Pure. */
import type { Option } from '../../agents/screen/screen-rows.ts'

type OwnText = {
  readonly label: RegExp
  /** The key that begins to take text, where pointing at it is not enough. */
  readonly opens?: 'Enter' | 'Tab'
  /** Chosen without a text it is an answer, too. */
  readonly isAnswer?: true
}

/** Seen in Claude Code 2.1.330 and Gemini CLI 0.61.0, OpenCode 1.18.33, Codex 0.169.0 (bench/answer.ts asks them). */
const kinds: readonly OwnText[] = [
  { label: /^(?:type something|enter a custom value|other)(?:\.|\.\.\.|…)?$/i },
  { label: /^type your own answer/i, opens: 'Enter' },
  { label: /^none of the above/i, opens: 'Tab', isAnswer: true },
]

export type OwnTextOption = OwnText & { readonly option: Option }

/** The program's own text is below everything that a model wrote. */
export function ownTextOption(options: readonly Option[]): OwnTextOption | undefined {
  for (const option of options.toReversed()) {
    const kind = kinds.find(({ label }) => label.test(option.label))
    if (kind) return { option, ...kind }
  }
  return undefined
}

/** Whether it is no answer without a text: Claude Code takes the question for declined. */
export function needsText(option: Option, options: readonly Option[]): boolean {
  const own = ownTextOption(options)
  return own?.option === option && own.isAnswer !== true
}
