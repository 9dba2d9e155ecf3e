/** Asks the judge what a session does, or shows, within its policy, with the time of the next allowed question. */

import { randomBytes } from 'node:crypto'
import { isLullError } from '../../core/lull-error.ts'
import type { Instant } from '../../core/state.ts'
import { askCommand } from './command-judge.ts'
import type { JudgeConfig, JudgeLimits } from './judge-config.ts'
import { judgePrompt, planPrompt, readJudgeAnswer } from './judge-prompt.ts'
import {
  answered,
  asked,
  type JudgeQuestion,
  judgeDefaults,
  judgeWords,
  mayAsk,
  newJudge,
} from './judge-step.ts'
import { askModel } from './model-judge.ts'

export type Judgement<Question extends JudgeQuestion = 'idle'> = {
  readonly says: (typeof judgeWords)[Question][number] | 'error'
  readonly why: string
  readonly again: Instant | 'never'
}

export type ShownToJudge = { readonly screen: string; readonly evidence: readonly string[] }

const questions = {
  idle: { prompt: judgePrompt, timeout: judgeDefaults.timeout },
  plan: { prompt: planPrompt, timeout: judgeDefaults.planTimeout },
} as const

/** @param now the monotonic clock, ms */
export function judgeDriver(config: JudgeConfig, now: () => Instant) {
  let state = newJudge()
  function again(question: JudgeQuestion): Instant | 'never' {
    const may = mayAsk(state, now(), question)
    return may.may ? now() : (may.at ?? 'never')
  }
  return {
    counts: () => ({ made: state.made, avoided: state.avoided }),
    /** @returns undefined where it was called off */
    async ask<Question extends JudgeQuestion>(
      question: Question,
      look: () => Promise<ShownToJudge>,
      signal: AbortSignal,
    ): Promise<Judgement<Question> | undefined> {
      const may = mayAsk(state, now(), question)
      if (!may.may) return { says: 'error', why: may.why, again: may.at ?? 'never' }
      state = asked(state, now(), question)
      try {
        const shown = await look()
        const nonce = newNonce()
        const { prompt, timeout } = questions[question]
        const text = await askJudge(config, prompt({ ...shown, nonce }), { timeout, signal })
        const words: readonly (typeof judgeWords)[Question][number][] = judgeWords[question]
        const answer = readJudgeAnswer(text, nonce, words)
        const says = 'wrong' in answer ? 'error' : answer.says
        state = answered(state, now(), says)
        return { says, why: 'wrong' in answer ? answer.wrong : answer.reason, again: again(question) }
      } catch (error) {
        if (!isLullError(error)) throw error
        state = answered(state, now(), signal.aborted ? 'cancelled' : 'error')
        return signal.aborted ? undefined : { says: 'error', why: error.message, again: again(question) }
      }
    },
  }
}

/**
 * The raw answer. `readJudgeAnswer` checks it.
 * @throws {LullError} JUDGE_FAILED where there is none: it can't be asked, fails, takes too long, or was cancelled
 */
export const askJudge = (config: JudgeConfig, prompt: string, limits: JudgeLimits): Promise<string> =>
  'command' in config ? askCommand(config, prompt, limits) : askModel(config, prompt, limits)

/** 96 bits in hexadecimal digits. */
export const newNonce = (): string => randomBytes(12).toString('hex')
