/** Augment's /chat-stream, as Auggie 0.36.0 speaks it: a JSON object a line, whose nodes hold text or a tool call. */
import type { Turn } from './directive.ts'
import { array, type Frame, newId, object, pieces, type Reply, string, type Wire } from './wire.ts'

/** Its kinds of nodes, in requests and in answers. */
const node = { text: 0, toolResult: 1, toolUse: 5 } as const
/** Its reasons to stop. */
const stop = { endTurn: 1, toolUse: 3 } as const

/** What was asked: a person's words, or what a tool has returned. */
function asked(message: unknown, nodes: unknown): Turn {
  const results = array(nodes).filter(one => object(one).type === node.toolResult)
  if (results.length > 0)
    return { role: 'tool', text: string(object(object(results[0]).tool_result_node).content) }
  const texts = array(nodes).map(one => string(object(object(one).text_node).content))
  return { role: 'user', text: string(message) || texts.join('\n') }
}

const lineOf = (text: string, nodes: readonly object[], more: object = {}): string =>
  `${JSON.stringify({ text, nodes, unknown_blob_names: [], checkpoint_not_found: false, ...more })}\n`

const textNode = (text: string, id: number): object => ({ id, type: node.text, content: text })

export const augment: Wire = {
  name: 'augment',
  read: body => ({
    turns: [
      ...array(body.chat_history).flatMap((exchange): Turn[] => {
        const { request_message, request_nodes, response_text } = object(exchange)
        return [asked(request_message, request_nodes), { role: 'assistant', text: string(response_text) }]
      }),
      asked(body.message, body.nodes),
    ],
    tools: array(body.tool_definitions).map(tool => {
      const { name, input_schema_json } = object(tool)
      return { name: string(name), fields: fieldsOf(string(input_schema_json)) }
    }),
  }),
  *frames({ text, over, stalls, call }: Reply): Generator<Frame> {
    let id = 0
    for (const piece of pieces(text, over)) {
      if ('pause' in piece) yield piece
      else yield lineOf(piece.text, [textNode(piece.text, id++)])
    }
    if (stalls) yield 'stall'
    if (call) yield lineOf('', [toolNode(call, id)])
    yield lineOf('', [], { stop_reason: call ? stop.toolUse : stop.endTurn })
  },
  whole: ({ text, call }) => ({
    text,
    nodes: [textNode(text, 0), ...(call ? [toolNode(call, 1)] : [])],
    stop_reason: call ? stop.toolUse : stop.endTurn,
  }),
  error: status => ({ error: `scripted error ${status}` }),
}

const toolNode = ({ name, input }: NonNullable<Reply['call']>, id: number): object => ({
  id,
  type: node.toolUse,
  content: '',
  tool_use: { tool_use_id: newId('toolu'), tool_name: name, input_json: JSON.stringify(input) },
})

function fieldsOf(schema: string): readonly string[] {
  try {
    return Object.keys(object(object(JSON.parse(schema)).properties))
  } catch {
    return []
  }
}
