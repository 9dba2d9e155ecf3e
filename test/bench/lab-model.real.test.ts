/** The lab's scripted model, spoken to as the CLIs speak to it, without any CLI. */
import fc from 'fast-check'
import { afterEach, describe, expect, it } from 'vitest'
import { anthropic } from '../../bench/lab/anthropic.ts'
import { type Model, type ModelOptions, startModel } from '../../bench/lab/model.ts'
import { responses } from '../../bench/lab/responses.ts'
import { endsTurn } from '../../bench/lab/truth.ts'
import type { Reply, Wire } from '../../bench/lab/wire.ts'

const patience = 10_000
const models: Model[] = []
afterEach(async () => {
  for (const model of models.splice(0)) await model.close()
})

async function start(options?: ModelOptions): Promise<Model> {
  const model = await startModel(options)
  models.push(model)
  return model
}

const bash = { name: 'Bash', input_schema: { properties: { command: {}, description: {} } } }
const execCommand = { name: 'exec_command', parameters: { properties: { cmd: {}, sandbox_permissions: {} } } }

/** What a CLI would make of the answer: all that is said, the tool that is called, how it ended. */
type Heard = { status: number; text: string; tool?: string; input?: unknown; stop: unknown }

type Message = { role: string; content: unknown }

const post = (model: Model, path: string, body: object, signal?: AbortSignal): Promise<Response> =>
  fetch(model.url + path, { method: 'POST', body: JSON.stringify(body), ...(signal ? { signal } : {}) })

async function asClaude(model: Model, messages: readonly Message[], tools: object[] = [bash]) {
  const response = await post(model, '/v1/messages?beta=true', { model: 'm', stream: true, tools, messages })
  return { status: response.status, ...heardOfAnthropic(dataOf(await response.text())) } satisfies Heard
}

async function asCodex(model: Model, input: readonly object[], tools: object[] = [execCommand]) {
  const response = await post(model, '/v1/responses', { model: 'm', stream: true, tools, input })
  return { status: response.status, ...heardOfResponses(dataOf(await response.text())) } satisfies Heard
}

// biome-ignore lint/suspicious/noExplicitAny: what comes over the wire is looked into freely here
type Data = any

const dataOf = (stream: string): readonly Data[] =>
  stream
    .split('\n')
    .filter(line => line.startsWith('data: '))
    .map(line => JSON.parse(line.slice('data: '.length)))

function heardOfAnthropic(events: readonly Data[]) {
  const of = (type: string) => events.filter(event => event.type === type)
  const deltas = of('content_block_delta').map(event => event.delta)
  const tool = of('content_block_start').find(event => event.content_block.type === 'tool_use')?.content_block
  const json = deltas.map(delta => delta.partial_json ?? '').join('')
  return {
    text: deltas.map(delta => delta.text ?? '').join(''),
    ...(tool ? { tool: tool.name, input: JSON.parse(json) } : {}),
    stop: of('message_stop').length === 1 ? of('message_delta')[0].delta.stop_reason : 'none',
  }
}

function heardOfResponses(events: readonly Data[]) {
  const of = (type: string) => events.filter(event => event.type === type)
  const call = of('response.output_item.done').find(({ item }) => item.type === 'function_call')?.item
  return {
    text: of('response.output_text.delta')
      .map(event => event.delta)
      .join(''),
    ...(call ? { tool: call.name, input: JSON.parse(call.arguments) } : {}),
    stop: of('response.completed')[0]?.response.status ?? 'none',
  }
}

const person = (text: string): Message => ({ role: 'user', content: [{ type: 'text', text }] })
const agent = (text: string): Message => ({ role: 'assistant', content: [{ type: 'text', text }] })
const toolResult: Message = { role: 'user', content: [{ type: 'tool_result', content: '[[long:99]]' }] }
const personItem = (text: string) => ({
  type: 'message',
  role: 'user',
  content: [{ type: 'input_text', text }],
})

const story = (model: Model): string[] =>
  model.events.map(event => `${event.request.nth} ${event.type}${endsTurn(event) ? ' of the turn' : ''}`)

describe('a turn', () => {
  it('ends with the first answer where the prompt wants a short one', async () => {
    const model = await start()
    const heard = await asClaude(model, [person('[[short]] hello')])
    expect(heard).toMatchObject({ status: 200, stop: 'end_turn', text: expect.stringContaining('over') })
    expect(story(model)).toEqual(['1 request', '1 first-byte', '1 end of the turn'])
  })

  it('calls the tool that the CLI offers and ends after its result', async () => {
    const model = await start()
    const prompt = person('[[touch:made.txt]] please')
    const first = await asClaude(model, [prompt])
    expect(first).toMatchObject({
      stop: 'tool_use',
      tool: 'Bash',
      input: { command: 'touch made.txt', description: expect.any(String) },
    })
    const second = await asClaude(model, [prompt, agent(first.text), toolResult])
    expect(second).toMatchObject({ stop: 'end_turn', text: 'It is done.' })
    expect(story(model).filter(line => line.includes('end'))).toEqual(['1 end', '2 end of the turn'])
  })

  it('goes the same way for Codex, whose history is flat', async () => {
    const model = await start()
    const prompt = personItem('[[touch:made.txt]] please')
    const first = await asCodex(model, [prompt])
    expect(first).toMatchObject({
      stop: 'completed',
      tool: 'exec_command',
      input: { cmd: 'touch made.txt', sandbox_permissions: 'require_escalated' },
    })
    const done = [
      { type: 'message', role: 'assistant', content: [{ type: 'output_text', text: first.text }] },
      { type: 'function_call', name: 'exec_command', arguments: '{}' },
      { type: 'function_call_output', output: '' },
    ]
    expect(await asCodex(model, [prompt, ...done])).toMatchObject({ text: 'It is done.' })
  })

  it('says which tool is missing where the CLI offers none that fits', async () => {
    const heard = await asClaude(await start(), [person('[[ask]] me')])
    expect(heard).toMatchObject({ stop: 'end_turn', text: 'There is no tool for question among Bash.' })
  })
})

describe('what is answered', () => {
  it('follows the last directive of a person, not one in an older prompt', async () => {
    const history = [person('[[error:500]]'), agent('oops'), person('[[say:a: b [c] d]]')]
    expect(await asClaude(await start(), history)).toMatchObject({ status: 200, text: 'a: b [c] d' })
  })

  it('is decided by a script, for the n-th main request, verbatim', async () => {
    const model = await start({
      script: ({ nth }) => (nth === 2 ? { say: '<promise>COMPLETE</promise>' } : undefined),
    })
    const ask = () => asClaude(model, [person('go on')])
    const texts = [await ask(), await ask(), await ask()].map(heard => heard.text)
    expect(texts[1]).toBe('<promise>COMPLETE</promise>')
    expect(texts[0]).toBe(texts[2])
  })

  it('does not count requests without tools', async () => {
    const model = await start({ script: ({ nth }) => ({ say: `answer ${nth}` }) })
    const title = await asClaude(model, [person('[[error:500]] give me a title')], [])
    expect(title).toMatchObject({ status: 200, text: 'A scripted title' })
    expect((await asClaude(model, [person('hello')])).text).toBe('answer 1')
    expect(model.events.some(event => event.request.kind === 'side' && endsTurn(event))).toBe(false)
  })

  it('is an error with its status where one is wanted', async () => {
    const model = await start()
    const body = { stream: true, tools: [bash], messages: [person('[[error:429]]')] }
    const response = await post(model, '/v1/messages', body)
    expect(response.status).toBe(429)
    expect(await response.json()).toMatchObject({ error: { type: 'rate_limit_error' } })
    expect(model.events.at(-1)).toMatchObject({ type: 'error', status: 429 })
  })

  it('comes in one piece where no stream is asked for', async () => {
    const model = await start()
    const body = { tools: [bash], messages: [person('[[say:whole]]')] }
    const response = await post(model, '/v1/messages', body)
    expect(await response.json()).toMatchObject({ content: [{ text: 'whole' }], stop_reason: 'end_turn' })
  })

  it('counts tokens, lists no models, and knows nothing else', async () => {
    const model = await start()
    const counted = await post(model, '/v1/messages/count_tokens', {})
    expect(await counted.json()).toEqual({ input_tokens: 1200 })
    expect((await fetch(`${model.url}/v1/models`)).status).toBe(200)
    expect((await fetch(`${model.url}/v1/else`)).status).toBe(404)
  })

  it('arrives as it was meant, whatever it is', () => {
    const wires = [
      [anthropic, heardOfAnthropic],
      [responses, heardOfResponses],
    ] satisfies [Wire, (events: readonly Data[]) => { text: string }][]
    const anyOver = fc.constantFrom(0, 1000)
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 100 }), anyOver, (text, over) => {
        const reply: Reply = { model: 'm', text, over, call: undefined, stalls: false }
        for (const [wire, hear] of wires) {
          const frames = [...wire.frames(reply)].filter(frame => typeof frame === 'string')
          expect(hear(dataOf(frames.join(''))).text).toBe(text)
        }
      }),
      { numRuns: 50 },
    )
  })
})

describe('the truth', () => {
  it('tells that a client went away in the middle', async () => {
    const model = await start()
    const client = new AbortController()
    const body = { stream: true, tools: [bash], messages: [person('[[long:600]]')] }
    const response = await post(model, '/v1/messages', body, client.signal)
    await response.body?.getReader().read()
    client.abort()
    const abort = await model.next(event => event.type === 'abort', patience, 0)
    expect(story(model)).toEqual(['1 request', '1 first-byte', '1 abort'])
    expect(abort.at).toBeGreaterThanOrEqual(model.events[1]?.at ?? Number.POSITIVE_INFINITY)
  })

  it('finds what has already happened, and waits for what has not', async () => {
    const model = await start()
    const coming = model.next(endsTurn, patience)
    await asClaude(model, [person('hello')])
    const came = await coming
    expect(await model.next(endsTurn, patience, came.at)).toBe(came)
  })

  it('says what happened instead where it waited in vain', async () => {
    const model = await start()
    await asClaude(model, [person('[[touch]]')])
    await expect(model.next(endsTurn, 1, 0)).rejects.toThrow(/not seen at the model[\s\S]*#1 main touch: end/)
  })

  it('passes on what the script throws', async () => {
    const script = () => {
      throw new Error('no third request was expected')
    }
    const model = await start({ script })
    const answer = asClaude(model, [person('hello')])
    await expect(model.next(endsTurn, patience)).rejects.toThrow('no third request')
    await expect(answer).rejects.toThrow()
  })

  it('ends what is under way when it is closed', async () => {
    const model = await start()
    const body = { stream: true, tools: [bash], messages: [person('[[stall]]')] }
    const response = await post(model, '/v1/messages', body)
    const text = response.text()
    await model.close()
    await expect(text).rejects.toThrow()
    await expect(fetch(`${model.url}/v1/models`)).rejects.toThrow()
  })
})
