/** Asks the judge what a session does, within its policy, and tells when it may be asked again. */
import { isLullError } from '../../core/lull-error.ts'
import type { Instant } from '../../core/state.ts'
import { askJudge } from './ask-judge.ts'
import { judgeWords, readJudgeAnswer } from './judge-answer.ts'
import type { JudgeConfig } from './judge-config.ts'
import { judgePrompt } from './judge-prompt.ts'
import { answered, asked, judgeDefaults, mayAsk, newJudge } from './judge-step.ts'
import { newNonce } from './nonce.ts'

export type Judgement = {
  readonly says: 'IDLE' | 'WORKING' | 'error'
  readonly why: string
  readonly again: Instant | 'never'
}

/** @param now the monotonic clock, ms */
export function judgeDriver(config: JudgeConfig, now: () => Instant) {
  let state = newJudge()
  function again(): Judgement['again'] {
    const may = mayAsk(state, now())
    return may.may ? now() : (may.at ?? 'never')
  }
  return {
    counts: () => ({ made: state.made, avoided: state.avoided }),
    /** @returns undefined where it was called off */
    async ask(
      look: () => Promise<{ readonly screen: string; readonly evidence: readonly string[] }>,
      signal: AbortSignal,
    ): Promise<Judgement | undefined> {
      const may = mayAsk(state, now())
      if (!may.may) return { says: 'error', why: may.why, again: may.at ?? 'never' }
      state = asked(state, now())
      try {
        const shown = await look()
        const nonce = newNonce()
        const { timeout } = judgeDefaults
        const text = await askJudge(config, judgePrompt({ ...shown, nonce }), { timeout, signal })
        const answer = readJudgeAnswer(text, nonce, judgeWords.idle)
        const says = 'wrong' in answer ? 'error' : answer.says
        state = answered(state, now(), says)
        return { says, why: 'wrong' in answer ? answer.wrong : answer.reason, again: again() }
      } catch (error) {
        if (!isLullError(error)) throw error
        state = answered(state, now(), signal.aborted ? 'cancelled' : 'error')
        return signal.aborted ? undefined : { says: 'error', why: error.message, again: again() }
      }
    },
  }
}
