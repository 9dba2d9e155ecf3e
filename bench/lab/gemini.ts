/** Google's models/MODEL:streamGenerateContent, as Gemini CLI speaks it. https://ai.google.dev/api/generate-content */
import type { Turn } from './directive.ts'
import {
  array,
  type Frame,
  newId,
  object,
  pieces,
  type Reply,
  string,
  usage as tokens,
  type Wire,
} from './wire.ts'

/** Results of tools stand in contents of the user's role: they are the tool's words, not a person's. */
function turnOf(content: unknown): Turn {
  const { role, parts } = object(content)
  const all = array(parts).map(object)
  const text = all.map(part => string(part.text)).join('\n')
  if (role === 'model') return { role: 'assistant', text }
  return { role: all.some(part => part.functionResponse !== undefined) ? 'tool' : 'user', text }
}

const responseOf = (model: string, id: string, parts: readonly object[], isLast: boolean) => ({
  candidates: [{ content: { role: 'model', parts }, index: 0, ...(isLast ? { finishReason: 'STOP' } : {}) }],
  usageMetadata: {
    promptTokenCount: tokens.input,
    candidatesTokenCount: tokens.output,
    totalTokenCount: tokens.input + tokens.output,
  },
  modelVersion: model,
  responseId: id,
})

const lastPart = ({ call }: Reply): object =>
  call ? { functionCall: { name: call.name, args: call.input } } : { text: '' }

/** What its side requests ask for, all of them at once: which model is to answer, who speaks next, a title. */
const sideAnswer = (text: string): string =>
  JSON.stringify({
    model_choice: 'flash',
    reasoning: text,
    complexity_reasoning: text,
    complexity_score: 10,
    next_speaker: 'user',
    title: text,
    summary: text,
  })

const statuses: Readonly<Record<number, string>> = {
  400: 'INVALID_ARGUMENT',
  401: 'UNAUTHENTICATED',
  429: 'RESOURCE_EXHAUSTED',
  503: 'UNAVAILABLE',
}

export const gemini: Wire = {
  name: 'gemini',
  read: body => ({
    turns: array(body.contents).map(turnOf),
    tools: array(body.tools)
      .flatMap(tool => array(object(tool).functionDeclarations))
      .map(tool => {
        const { name, parameters, parametersJsonSchema } = object(tool)
        const schema = object(parametersJsonSchema ?? parameters)
        return { name: string(name), fields: Object.keys(object(schema.properties)) }
      }),
  }),
  *frames(reply: Reply): Generator<Frame> {
    const id = newId('gemini')
    const sse = (parts: readonly object[], isLast: boolean): string =>
      `data: ${JSON.stringify(responseOf(reply.model, id, parts, isLast))}\n\n`
    for (const piece of pieces(reply.text, reply.over)) {
      if ('pause' in piece) yield piece
      else yield sse([{ text: piece.text }], false)
    }
    if (reply.stalls) yield 'stall'
    yield sse([lastPart(reply)], true)
  },
  /** Only side requests aren't streamed, and they want JSON. */
  whole: reply => responseOf(reply.model, newId('gemini'), [{ text: sideAnswer(reply.text) }], true),
  error: status => ({
    error: { code: status, message: `scripted error ${status}`, status: statuses[status] ?? 'INTERNAL' },
  }),
}
