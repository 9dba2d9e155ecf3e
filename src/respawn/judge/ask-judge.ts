/** Asks a judge. */
import { askCommand } from './command-judge.ts'
import type { JudgeConfig } from './judge-config.ts'
import type { JudgeLimits } from './judge-failure.ts'
import { askModel } from './model-judge.ts'

/**
 * What it answered, as it stands: `readJudgeAnswer` tells whether it is an answer.
 * @throws {LullError} JUDGE_FAILED where there is none: it can't be asked, fails, takes too long, or was cancelled
 */
export const askJudge = (config: JudgeConfig, prompt: string, limits: JudgeLimits): Promise<string> =>
  'command' in config ? askCommand(config, prompt, limits) : askModel(config, prompt, limits)
