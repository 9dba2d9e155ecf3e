/** OpenAI's /v1/responses, as Codex speaks it. https://platform.openai.com/docs/api-reference/responses-streaming */
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
  type Tool,
  usage as tokens,
  type Wire,
} from './wire.ts'

const usage = {
  input_tokens: tokens.input,
  input_tokens_details: { cached_tokens: 0 },
  output_tokens: tokens.output,
  output_tokens_details: { reasoning_tokens: 0 },
  total_tokens: tokens.input + tokens.output,
}

/** Items by which the model itself has answered. */
const ofModel = new Set(['reasoning', 'function_call', 'custom_tool_call', 'local_shell_call'])

/** The history is flat: what the model said in one response stands in several items, which are one turn of its. */
function turnsOf(input: unknown): Turn[] {
  if (typeof input === 'string') return [{ role: 'user', text: input }]
  const turns: Turn[] = []
  for (const item of array(input).map(object)) {
    const text = array(item.content)
      .map(part => string(object(part).text))
      .join('\n')
    if (item.role === 'assistant' || ofModel.has(string(item.type))) {
      if (turns.at(-1)?.role !== 'assistant') turns.push({ role: 'assistant', text })
    } else turns.push({ role: item.role === 'user' ? 'user' : 'tool', text })
  }
  return turns
}

const responseOf = (id: string, model: string, status: string, output: readonly object[]) => ({
  id,
  object: 'response',
  created_at: Math.floor(Date.now() / 1000),
  status,
  model,
  output,
  ...(status === 'completed' ? { usage } : {}),
})

const textPart = (text: string) => ({ type: 'output_text', text, annotations: [] })

const messageItem = (id: string, status: string, content: readonly object[]) => ({
  id,
  type: 'message',
  status,
  role: 'assistant',
  content,
})

const toolOf = (tool: unknown): Tool => ({
  name: string(object(tool).name),
  fields: Object.keys(object(object(object(tool).parameters).properties)),
})

const callItem = (call: NonNullable<Reply['call']>) => ({
  id: newId('fc'),
  type: 'function_call',
  status: 'completed',
  call_id: newId('call'),
  name: call.name,
  ...(call.namespace === undefined ? {} : { namespace: call.namespace }),
  arguments: JSON.stringify(call.input),
})

export const responses: Wire = {
  name: 'responses',
  read: body => ({
    turns: turnsOf(body.input),
    tools: array(body.tools)
      .map(object)
      .flatMap(tool =>
        tool.type === 'namespace'
          ? array(tool.tools).map(one => ({ ...toolOf(one), namespace: string(tool.name) }))
          : [toolOf(tool)],
      ),
  }),
  *frames(reply: Reply): Generator<Frame> {
    let sequence = 0
    const sse = (type: string, data: object): string =>
      `event: ${type}\ndata: ${JSON.stringify({ type, sequence_number: sequence++, ...data })}\n\n`
    const id = newId('resp')
    const output: object[] = []
    yield sse('response.created', { response: responseOf(id, reply.model, 'in_progress', []) })
    yield sse('response.in_progress', { response: responseOf(id, reply.model, 'in_progress', []) })
    if (reply.text !== '') {
      const item = newId('msg')
      const at = { item_id: item, output_index: 0, content_index: 0 }
      yield sse('response.output_item.added', {
        output_index: 0,
        item: messageItem(item, 'in_progress', []),
      })
      yield sse('response.content_part.added', { ...at, part: textPart('') })
      for (const piece of pieces(reply.text, reply.over)) {
        if ('pause' in piece) yield piece
        else yield sse('response.output_text.delta', { ...at, delta: piece.text })
      }
      if (reply.stalls) yield 'stall'
      yield sse('response.output_text.done', { ...at, text: reply.text })
      yield sse('response.content_part.done', { ...at, part: textPart(reply.text) })
      output.push(messageItem(item, 'completed', [textPart(reply.text)]))
      yield sse('response.output_item.done', { output_index: 0, item: output[0] })
    }
    if (reply.call) {
      const item = callItem(reply.call)
      const at = { item_id: item.id, output_index: output.length }
      yield sse('response.output_item.added', {
        output_index: output.length,
        item: { ...item, status: 'in_progress', arguments: '' },
      })
      yield sse('response.function_call_arguments.delta', { ...at, delta: item.arguments })
      yield sse('response.function_call_arguments.done', { ...at, arguments: item.arguments })
      yield sse('response.output_item.done', { output_index: output.length, item })
      output.push(item)
    }
    yield sse('response.completed', { response: responseOf(id, reply.model, 'completed', output) })
  },
  whole({ model, text, call }) {
    const output = [
      ...(text === '' ? [] : [messageItem(newId('msg'), 'completed', [textPart(text)])]),
      ...(call ? [callItem(call)] : []),
    ]
    return responseOf(newId('resp'), model, 'completed', output)
  },
  error: status => ({
    error: {
      message: `scripted error ${status}`,
      type: errorType(status),
      code: status === 429 ? 'rate_limit_exceeded' : String(status),
    },
  }),
}
