/** What agents really wrote, a little of each kind: what the fuzzer breaks. */
import { globSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { gunzipSync } from 'node:zlib'
import { type AgentName, agentNames, isAgentName } from '../../src/agents/agent-names.ts'
import type { TraceCode } from '../../src/core/trace/trace.ts'

const root = path.resolve(import.meta.dirname, '../..')

/** Of each kind, of each agent: more add time and no shapes. */
const mostOfKind = 200
/** Of each trace, from its start on. */
const mostLines = 400
/** A longer line tests nothing that a shorter one does not. */
const longestSample = 20_000

/** What is inside of an event: a hook's payload, a transcript's line, a status file, an output. */
const innerOf = (code: string, data: string): string => {
  if (code === 'o' || code === 'i' || code === 'p') return data
  const { payload, line, content } = JSON.parse(data) as Record<string, unknown>
  return [line, content].find(text => typeof text === 'string') ?? JSON.stringify(payload ?? null)
}

export type Sample = { readonly agent: AgentName; readonly text: string; readonly event: string }

const samples = new Map<string, Sample[]>()
const traces: { readonly agent: AgentName; readonly lines: readonly string[] }[] = []

for (const file of globSync(path.join(root, 'corpus/*/*.cast.gz')).sort()) {
  const agent = path.basename(path.dirname(file))
  if (!isAgentName(agent)) continue
  const lines = gunzipSync(readFileSync(file)).toString('utf8').trimEnd().split('\n')
  traces.push({ agent, lines: lines.slice(0, mostLines).filter(line => line.length < longestSample) })
  for (const line of lines.slice(1)) {
    const [, code, data] = JSON.parse(line) as [number, string, string]
    const kind = samples.get(`${agent} ${code}`) ?? []
    samples.set(`${agent} ${code}`, kind)
    if (kind.length >= mostOfKind || data.length > longestSample || !'htfoip'.includes(code)) continue
    const event = code === 'h' ? String((JSON.parse(data) as { event: unknown }).event) : ''
    kind.push({ agent, text: innerOf(code, data), event })
  }
}

const rows: Sample[] = globSync(path.join(root, 'test/rows/*.jsonl')).flatMap(file => {
  const agent = path.basename(file).split('-')[0] ?? ''
  const lines = readFileSync(file, 'utf8').trimEnd().split('\n')
  return isAgentName(agent) ? lines.map(text => ({ agent, text, event: '' })) : []
})

/** Samples of a kind, of all agents; one that is empty where there are none. */
export function samplesOf(code: TraceCode | 'row'): readonly Sample[] {
  const all = code === 'row' ? rows : agentNames.flatMap(agent => samples.get(`${agent} ${code}`) ?? [])
  return all.length > 0 ? all : agentNames.map(agent => ({ agent, text: '{}', event: '' }))
}

/** Recorded sessions, from their start. */
export const traceSamples = (): typeof traces => traces
