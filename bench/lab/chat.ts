/** OpenAI's /v1/chat/completions, as OpenCode and Pi speak it. https://platform.openai.com/docs/api-reference/chat-streaming */
import type { Turn } from './directive.ts'
import {
  array,
  errorType,
  type Frame,
  newId,
  object,
  pieces,
  type Reply,
  string,
  usage as tokens,
  type Wire,
} from './wire.ts'

const usage = {
  prompt_tokens: tokens.input,
  completion_tokens: tokens.output,
  total_tokens: tokens.input + tokens.output,
}

function turnOf(message: unknown): Turn {
  const { role, content } = object(message)
  const parts =
    typeof content === 'string' ? [content] : array(content).map(part => string(object(part).text))
  return { role: role === 'user' || role === 'assistant' ? role : 'tool', text: parts.join('\n') }
}

const callsOf = ({ call }: Reply) =>
  call && [
    {
      index: 0,
      id: newId('call'),
      type: 'function',
      function: { name: call.name, arguments: JSON.stringify(call.input) },
    },
  ]

const stopOf = ({ call }: Reply): string => (call ? 'tool_calls' : 'stop')

export const chat: Wire = {
  name: 'chat',
  read: body => ({
    turns: array(body.messages).map(turnOf),
    tools: array(body.tools).map(tool => {
      const { name, parameters } = object(object(tool).function)
      return { name: string(name), fields: Object.keys(object(object(parameters).properties)) }
    }),
  }),
  *frames(reply: Reply): Generator<Frame> {
    const common = {
      id: newId('chatcmpl'),
      object: 'chat.completion.chunk',
      created: Math.floor(Date.now() / 1000),
      model: reply.model,
    }
    const sse = (data: object): string => `data: ${JSON.stringify({ ...common, ...data })}\n\n`
    const delta = (part: object, finish: string | null = null): string =>
      sse({ choices: [{ index: 0, delta: part, finish_reason: finish }] })
    yield delta({ role: 'assistant', content: '' })
    for (const piece of pieces(reply.text, reply.over)) {
      if ('pause' in piece) yield piece
      else yield delta({ content: piece.text })
    }
    if (reply.stalls) yield 'stall'
    const calls = callsOf(reply)
    if (calls) yield delta({ tool_calls: calls })
    yield delta({}, stopOf(reply))
    yield sse({ choices: [], usage })
    yield 'data: [DONE]\n\n'
  },
  whole(reply) {
    const calls = callsOf(reply)
    const message = {
      role: 'assistant',
      content: reply.text || null,
      ...(calls ? { tool_calls: calls } : {}),
    }
    return {
      id: newId('chatcmpl'),
      object: 'chat.completion',
      created: Math.floor(Date.now() / 1000),
      model: reply.model,
      choices: [{ index: 0, message, finish_reason: stopOf(reply) }],
      usage,
    }
  },
  error: status => ({
    error: {
      message: `scripted error ${status}`,
      type: errorType(status),
      code: status === 429 ? 'rate_limit_exceeded' : String(status),
    },
  }),
}
