/** The shape of a session that another process tells of: the rest of lull relies on it. */
import type { Facts } from '../core/evidence/signal.ts'
import { fields, flag, type JsonShape, list, number, optional, table, text, whole } from '../core/shape.ts'
import { weight } from '../core/state.ts'
import { isRecord } from '../core/trace/trace.ts'

const [someText, someNumber] = [optional(text), optional(number)]
const state = fields({
  kind: value => typeof value === 'string' && Object.hasOwn(weight, value),
  ...{ doing: someText, for: someText, after: someText, at: someText },
  ...{ code: someNumber, signal: someText },
})
const health = fields({ level: text, certainty: text, cause: someText })
const healthBy = fields({
  owner: text,
  what: text,
  advice: someText,
  health,
  since: number,
  seen: number,
})
const claim = { source: text, what: text }
const news = fields({ ...claim, type: text, lane: text, state, at: number, seen: number })
const sign = fields({
  ...claim,
  state,
  tier: text,
  lag: number,
  since: number,
  seen: number,
  alive: flag,
})
const exit = fields({ ...claim, type: text, at: number, code: someNumber, signal: someText })
const evidence: JsonShape = value =>
  isRecord(value) && (value.type === 'news' ? news : value.type === 'sign' ? sign : exit)(value)
const verdict = fields({
  ...{ state, health, healthBy: optional(healthBy), confidence: number, turn: number, turnOver: flag },
  ...{ asks: optional(flag), limit: optional(fields({ until: someNumber })), since: number, rule: text },
  ...{ because: list(evidence), recheckAt: someNumber },
})
const someBeside = optional(list(fields({ kind: text, what: someText, at: someNumber })))
const facts = fields({
  agentSession: someText,
  version: someText,
  cwd: someText,
  model: someText,
  tool: someText,
  about: someText,
  prompt: someText,
  question: someText,
  finalMessage: someText,
  error: someText,
  background: someBeside,
  wakes: someBeside,
  goal: someText,
  menu: someText,
  notice: someText,
  degraded: someText,
  tokensIn: someNumber,
  tokensOut: someNumber,
  context: someNumber,
  cost: someNumber,
  pid: someNumber,
  pidStart: someText,
  pane: someText,
} satisfies Readonly<Record<keyof Facts, JsonShape>>)
const session = fields({
  now: number,
  turns: fields({
    count: number,
    closed: list(text),
    lastStart: number,
    lastEnd: number,
    open: optional(isRecord),
  }),
  lanes: table(fields({ news, by: list(text) })),
  signs: table(fields({ sign, stepsOwed: number, onProbation: flag })),
  healthByOwner: table(healthBy),
  kindByNews: fields({ kind: text, since: number }),
  facts,
  tokensAt: someNumber,
  ...{ toolAt: someNumber, promptAt: someNumber },
  exit: optional(exit),
  verdict,
})
const drift = fields({ version: text, checked: text })

export const isLiveSession: JsonShape = fields({
  ...{ id: text, agent: text, name: someText, pid: whole, cwd: someText, branch: someText },
  ...{ pane: someText, tmux: someText, place: someText, window: someText, terminal: someText },
  ...{ title: someText, transcript: someText, status: someText, stands: someText, drift: optional(drift) },
  ...{ hooks: text, note: someText, owner: someText, isSeen: flag, session },
})
