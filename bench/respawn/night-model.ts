/** The provider of the night: a limit that ends, a plan that stands in a file, and otherwise the scripts of the lab. */
import type { Step } from '../lab/directive.ts'
import { type Model, startModel } from '../lab/model.ts'
import { type ModelRequest, now } from '../lab/truth.ts'
import { promptsIn } from './scenes.ts'

/** A limit lasts so long, ms. */
const limitMs = 15_000

/** Which prompt of the night a request is about; none of a subagent's. */
export const numberOf = ({ turns }: Pick<ModelRequest, 'turns'>): number | undefined =>
  turns
    .filter(({ role }) => role === 'user')
    .flatMap(({ text }) => promptsIn(text))
    .at(-1)?.number

export type NightModel = Model & {
  readonly limits: readonly { readonly from: number; readonly to: number }[]
}

export async function startNightModel(cli: 'claude' | 'codex'): Promise<NightModel> {
  const limits: { readonly from: number; readonly to: number }[] = []
  let isOver = true
  function limited(): Step {
    const last = limits.at(-1)
    if (last && now() >= last.to && !isOver) {
      isOver = true
      return { say: 'It goes on after the limit.' }
    }
    if (isOver) limits.push({ from: now(), to: now() + limitMs })
    isOver = false
    const end = Math.ceil((limits.at(-1)?.to ?? 0) / 1000)
    const error =
      cli === 'claude'
        ? { type: 'rate_limit_error', message: `Claude AI usage limit reached|${end}` }
        : { type: 'usage_limit_reached', message: 'The usage limit has been reached', resets_at: end }
    return { status: 429, body: { type: 'error', error } }
  }
  const model = await startModel({
    script(request) {
      const { directive, step } = request
      if (directive?.name === 'limit') return limited()
      if (directive?.name !== 'plan') return undefined
      if (cli === 'codex') return { say: step === 0 ? proposal : 'It is done.' }
      const file = /[^"\s\\]*\.claude\/plans\/[\w-]+\.md/.exec(JSON.stringify(request.body))?.[0]
      return step === 0 && file ? { call: { tool: 'write', path: file, text: plan } } : planned(step)
    },
  })
  return { ...model, limits }
}

const plan = '1. Read the file\n2. Change one line of it'
const proposal = `<proposed_plan>\n${plan}\n</proposed_plan>`

const planned = (step: number): Step =>
  step < 2 ? { say: 'I have a plan.', call: { tool: 'plan', plan } } : { say: 'It is done.' }
