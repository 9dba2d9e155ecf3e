/** The lab's scripted model, spoken to as OpenCode, Pi and Gemini CLI speak to it, without any CLI. */
import fc from 'fast-check'
import { afterEach, describe, expect, it } from 'vitest'
import { chat } from '../../bench/lab/chat.ts'
import { gemini } from '../../bench/lab/gemini.ts'
import { type Model, startModel } from '../../bench/lab/model.ts'
import { endsTurn } from '../../bench/lab/truth.ts'
import type { Wire } from '../../bench/lab/wire.ts'

const models: Model[] = []
afterEach(async () => {
  for (const model of models.splice(0)) await model.close()
})

async function start(): Promise<Model> {
  const model = await startModel()
  models.push(model)
  return model
}

// biome-ignore lint/suspicious/noExplicitAny: what comes over the wire is looked into freely here
type Data = any

type Heard = { text: string; tool?: string; input?: unknown; stop: unknown }

const dataOf = (stream: string): readonly Data[] =>
  stream
    .split('\n')
    .filter(line => line.startsWith('data: {'))
    .map(line => JSON.parse(line.slice('data: '.length)))

function heardOfChat(events: readonly Data[]): Heard {
  const choices = events.flatMap(event => event.choices)
  const call = choices.flatMap(({ delta }) => delta.tool_calls ?? [])[0]?.function
  return {
    text: choices.map(({ delta }) => delta.content ?? '').join(''),
    ...(call ? { tool: call.name, input: JSON.parse(call.arguments) } : {}),
    stop: choices.findLast(({ finish_reason: reason }) => reason !== null)?.finish_reason,
  }
}

function heardOfGemini(events: readonly Data[]): Heard {
  const parts = events.flatMap(event => event.candidates[0].content.parts)
  const call = parts.find(part => part.functionCall)?.functionCall
  return {
    text: parts.map(part => part.text ?? '').join(''),
    ...(call ? { tool: call.name, input: call.args } : {}),
    stop: events.at(-1)?.candidates[0].finishReason,
  }
}

const bash = { type: 'function', function: { name: 'bash', parameters: { properties: { command: {} } } } }
const shell = {
  functionDeclarations: [
    { name: 'run_shell_command', parametersJsonSchema: { properties: { command: {} } } },
  ],
}
const person = (text: string) => ({ role: 'user', content: text })
const user = (text: string) => ({ role: 'user', parts: [{ text }] })

const post = (model: Model, path: string, body: object): Promise<Response> =>
  fetch(model.url + path, { method: 'POST', body: JSON.stringify(body) })

async function asPi(model: Model, messages: readonly object[]): Promise<Heard> {
  const response = await post(model, '/v1/chat/completions', { stream: true, tools: [bash], messages })
  return heardOfChat(dataOf(await response.text()))
}

async function asGemini(model: Model, contents: readonly object[]): Promise<Heard> {
  const path = '/v1beta/models/gemini-pro:streamGenerateContent?alt=sse'
  const response = await post(model, path, { tools: [shell], contents })
  return heardOfGemini(dataOf(await response.text()))
}

const afterTool = {
  chat: [
    person('[[touch:made.txt]] please'),
    { role: 'assistant', content: 'I need to.', tool_calls: [{}] },
    { role: 'tool', content: '[[long:99]]' },
  ],
  gemini: [
    user('[[touch:made.txt]] please'),
    { role: 'model', parts: [{ text: 'I need to.' }, { functionCall: {} }] },
    { role: 'user', parts: [{ functionResponse: { response: { output: '[[long:99]]' } } }] },
  ],
}

describe.each([
  ['chat completions', asPi, afterTool.chat, 'bash', 'tool_calls', 'stop'],
  ['Gemini', asGemini, afterTool.gemini, 'run_shell_command', 'STOP', 'STOP'],
] as const)('by %s', (_, ask, history, tool, calls, stop) => {
  it('a turn calls the tool that is offered, and ends after its result', async () => {
    const model = await start()
    const first = await ask(model, history.slice(0, 1))
    expect(first).toMatchObject({ tool, input: { command: 'touch made.txt' }, stop: calls })
    expect(await ask(model, history)).toEqual({ text: 'It is done.', stop })
    expect(model.events.map(event => endsTurn(event))).toEqual([false, false, false, false, false, true])
  })

  it('an error has its status', async () => {
    const model = await start()
    await ask(model, [history[0] && 'parts' in history[0] ? user('[[error:429]]') : person('[[error:429]]')])
    expect(model.events.at(-1)).toMatchObject({ type: 'error', status: 429 })
  })
})

it('Gemini names its model, and whether it wants a stream, in the path', async () => {
  const model = await start()
  const response = await post(model, '/v1beta/models/flash:generateContent', { contents: [user('title?')] })
  const [{ content }] = ((await response.json()) as Data).candidates
  expect(JSON.parse(content.parts[0].text)).toMatchObject({ title: 'A scripted title' })
  expect(model.events[0]).toMatchObject({ request: { model: 'flash', kind: 'side' } })
})

it('what is said arrives as it was meant, whatever it is', () => {
  const wires = [
    [chat, heardOfChat],
    [gemini, heardOfGemini],
  ] satisfies [Wire, (events: readonly Data[]) => Heard][]
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 100 }), fc.constantFrom(0, 1000), (text, over) => {
      for (const [wire, hear] of wires) {
        const frames = [...wire.frames({ model: 'm', text, over, call: undefined, stalls: false })]
        expect(hear(dataOf(frames.filter(frame => typeof frame === 'string').join(''))).text).toBe(text)
      }
    }),
    { numRuns: 50 },
  )
})
