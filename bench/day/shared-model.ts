/** One scripted model for several agents of a home whose settings name one: which of them asks is known by its prompts. */
import { type Model, type ModelOptions, startModel } from '../lab/model.ts'
import type { ModelRequest } from '../lab/truth.ts'

type Script = NonNullable<ModelOptions['script']>

export type SharedModel = {
  /** The model as one agent alone sees it. */
  of(agent: string, script: Script): Model
  close(): Promise<void>
}

/** A prompt as the agent's person types it. */
export const signed = (prompt: string, agent: string): string => `${prompt} (${agent})`

/** A conversation has the prompts of one agent alone. */
const asks = (request: ModelRequest, agent: string): boolean =>
  request.turns.some(({ role, text }) => role === 'user' && text.includes(`(${agent})`))

export async function shareModel(): Promise<SharedModel> {
  const scripts = new Map<string, Script>()
  const model = await startModel({
    script(request) {
      const agent = [...scripts.keys()].find(name => asks(request, name))
      return agent === undefined ? undefined : scripts.get(agent)?.(request)
    },
  })
  return {
    of(agent, script) {
      scripts.set(agent, script)
      return {
        url: model.url,
        get events() {
          return model.events.filter(({ request }) => asks(request, agent))
        },
        next: (fits, timeout, since) =>
          model.next(event => asks(event.request, agent) && fits(event), timeout, since),
        close: () => Promise.resolve(),
      }
    },
    close: () => model.close(),
  }
}
