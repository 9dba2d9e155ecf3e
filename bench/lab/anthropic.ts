/** Anthropic's /v1/messages, as Claude Code speaks it. https://docs.anthropic.com/en/api/messages-streaming */
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
  input_tokens: tokens.input,
  output_tokens: tokens.output,
  cache_creation_input_tokens: 0,
  cache_read_input_tokens: 0,
}

const sse = (data: { type: string } & Record<string, unknown>): string =>
  `event: ${data.type}\ndata: ${JSON.stringify(data)}\n\n`

/** Tool results stand in user messages: they are the tool's words, not a person's. */
function turnOf(message: unknown): Turn {
  const { role, content } = object(message)
  if (typeof content === 'string') return { role: role === 'assistant' ? 'assistant' : 'user', text: content }
  const blocks = array(content).map(object)
  const text = blocks.map(block => string(block.text)).join('\n')
  if (role === 'assistant') return { role, text }
  return { role: text === '' && blocks.some(({ type }) => type === 'tool_result') ? 'tool' : 'user', text }
}

const messageOf = (reply: Reply, content: readonly object[], stop: string | null) => ({
  id: newId('msg'),
  type: 'message',
  role: 'assistant',
  model: reply.model,
  content,
  stop_reason: stop,
  stop_sequence: null,
  usage,
})

const stopOf = ({ call }: Reply): string => (call ? 'tool_use' : 'end_turn')

export const anthropic: Wire = {
  name: 'anthropic',
  read: body => ({
    turns: array(body.messages).map(turnOf),
    tools: array(body.tools).map(tool => ({
      name: string(object(tool).name),
      fields: Object.keys(object(object(object(tool).input_schema).properties)),
    })),
  }),
  *frames(reply: Reply): Generator<Frame> {
    yield sse({ type: 'message_start', message: messageOf(reply, [], null) })
    let index = 0
    if (reply.text !== '') {
      yield sse({ type: 'content_block_start', index, content_block: { type: 'text', text: '' } })
      for (const piece of pieces(reply.text, reply.over)) {
        if ('pause' in piece) yield piece
        else
          yield sse({ type: 'content_block_delta', index, delta: { type: 'text_delta', text: piece.text } })
      }
      if (reply.stalls) yield 'stall'
      yield sse({ type: 'content_block_stop', index })
      index++
    }
    if (reply.call) {
      const block = { type: 'tool_use', id: newId('toolu'), name: reply.call.name, input: {} }
      yield sse({ type: 'content_block_start', index, content_block: block })
      const delta = { type: 'input_json_delta', partial_json: JSON.stringify(reply.call.input) }
      yield sse({ type: 'content_block_delta', index, delta })
      yield sse({ type: 'content_block_stop', index })
    }
    yield sse({ type: 'message_delta', delta: { stop_reason: stopOf(reply), stop_sequence: null }, usage })
    yield sse({ type: 'message_stop' })
  },
  whole(reply) {
    const { text, call } = reply
    const content = [
      ...(text === '' ? [] : [{ type: 'text', text }]),
      ...(call ? [{ type: 'tool_use', id: newId('toolu'), name: call.name, input: call.input }] : []),
    ]
    return messageOf(reply, content, stopOf(reply))
  },
  error: status => ({
    type: 'error',
    error: { type: errorType(status), message: `scripted error ${status}` },
    request_id: newId('req'),
  }),
}
