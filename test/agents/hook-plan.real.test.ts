/** What lull asks agents to report is what its readers read, and arrives so that they can read it. */

import { readFileSync, writeFileSync } from 'node:fs'
import http from 'node:http'
import path from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { pathToFileURL } from 'node:url'
import { expect, test } from 'vitest'
import { type HookedName, hookedNames } from '../../src/agents/agent-names.ts'
import { hookPlans } from '../../src/agents/hook-plans.ts'
import { hasHooks } from '../../src/agents/kit/agent.ts'
import { agents } from '../../src/agents/registry.ts'
import type { Facts } from '../../src/core/evidence/signal.ts'
import { moduleText } from '../../src/hooks/hook-module.ts'
import { readHookReport } from '../../src/hooks/receiver.ts'
import { decode, newDecoder } from '../../src/track/decode.ts'
import { temporaryFolder } from '../support/lull.ts'

/** Events that are read where they come (rows, streams), and not asked for as hooks. */
const notAskedFor: Partial<Record<HookedName, readonly string[]>> = {
  claude: [
    // A flood: one for every piece of an answer.
    'MessageDisplay',
    // Kinds of the event `Notification`, no events.
    'agent_needs_input',
    'elicitation_complete',
    'elicitation_dialog',
    'elicitation_response',
    'elicitation_url_dialog',
    'idle_prompt',
    'permission_prompt',
    'worker_permission_prompt',
  ],
  qwen: ['MessageDisplay'],
  gemini: ['AfterModel'],
  opencode: ['message.part.delta'],
  // `message_update` is a flood, the others stand in rows of `pi --mode json` only.
  pi: [
    'session',
    'message_update',
    'auto_retry_start',
    'auto_retry_end',
    'compaction_start',
    'compaction_end',
    'auto_compaction_start',
    'auto_compaction_end',
  ],
  // From its `notify` program.
  codex: ['agent-turn-complete'],
  // Another spelling.
  copilot: ['Notification'],
}

test.each(hookedNames)('%s: every event that is read is asked for, and no other', name => {
  const source = readFileSync(new URL(`../../src/agents/${name}/hooks.ts`, import.meta.url), 'utf8')
  const asked = agents[name].hooks.events.map(event => event.name)
  const read = new Set(
    [...source.matchAll(/case '([\w.-]+)':|event === '([\w.-]+)'/g)].map(m => m[1] ?? m[2]),
  )
  const words = new Set(['busy', 'retry', 'idle'])
  const wanted = [...read].filter(
    event => !words.has(event ?? '') && !notAskedFor[name]?.includes(event ?? ''),
  )
  expect([...asked].sort()).toEqual(wanted.sort())
})

type Handler = (...args: unknown[]) => unknown

/** Loads a module of ours as its agent does, and tells what a host makes of the first `count` reports. */
async function heardFrom(
  module: 'opencode' | 'pi',
  count: number,
  use: (exports: Record<string, unknown>) => unknown,
) {
  const folder = temporaryFolder()
  const socket = path.join(folder, "it's a.sock")
  const bodies: [string, string][] = []
  const server = http.createServer(async (request, response) => {
    bodies.push([request.url ?? '', Buffer.concat(await request.toArray()).toString()])
    response.writeHead(204).end()
  })
  await new Promise<void>(resolve => server.listen(socket, resolve))
  const events = agents[module].hooks.events.map(({ name }) => name)
  const file = path.join(folder, 'lull.js')
  writeFileSync(file, moduleText(agents[module], { socket, events }))
  writeFileSync(path.join(folder, 'package.json'), '{"type":"module"}')
  await use(await import(pathToFileURL(file).href))
  const deadline = performance.now() + 10_000
  while (bodies.length < count && performance.now() < deadline) await pause(5)
  server.closeAllConnections()
  server.close()
  let decoder = newDecoder(agents[module])
  return bodies.map(([url, body]) => {
    const event = new URL(url, 'http://localhost').searchParams.get('event') ?? undefined
    const read = readHookReport({ agent: module, event }, body)
    if ('refused' in read) return { event, refused: read.refused }
    const { payload } = read.report
    const data = JSON.stringify({ agent: module, event: read.report.event, payload })
    const decoded = decode(decoder, { line: 0, at: 0, code: 'h', data })
    decoder = decoded.decoder
    const says = decoded.signals.flatMap(signal => (signal.type === 'news' ? [signal.state] : []))
    const learnt = decoded.signals.flatMap(signal => (signal.type === 'facts' ? [signal.facts] : []))
    const { tool, about, prompt } = Object.assign({}, ...learnt) as Facts
    return { event, says, refused: decoded.refused, tool, about, prompt }
  })
}

/** What OpenCode adds of its own stands before what the person wrote. */
const promptParts = [
  { type: 'text', synthetic: true, text: 'a file was opened' },
  { type: 'text', text: 'clean up' },
]

test('the plans that stand apart from the readers are those of all agents that have one', () => {
  const known = Object.values(agents).filter(hasHooks)
  expect(hookPlans).toEqual(known.map(({ name, hooks }) => ({ name, hooks })))
})

test('opencode: its plugin tells of a turn with a tool and a permission, in order', async () => {
  const heard = await heardFrom('opencode', 7, async ({ Lull }) => {
    const plugin = (await (Lull as Handler)()) as Record<string, Handler>
    const event = (type: string, properties: object) => plugin.event?.({ event: { type, properties } })
    await plugin['chat.message']?.({ sessionID: 's' }, { parts: promptParts })
    event('message.updated', { sessionID: 's', info: { id: 'm', role: 'user', time: { created: 1 } } })
    event('message.part.delta', { sessionID: 's', delta: 'x' })
    const args = { command: 'rm x', content: 'x'.repeat(2_000_000) }
    await plugin['tool.execute.before']?.({ tool: 'bash', sessionID: 's', callID: 'c' }, { args })
    event('permission.asked', { id: 'p', sessionID: 's', metadata: { command: 'rm x' } })
    event('permission.replied', { requestID: 'p', sessionID: 's' })
    await plugin['tool.execute.after']?.({ tool: 'bash', sessionID: 's', callID: 'c' }, {})
    event('session.idle', { sessionID: 's' })
  })
  expect(heard).toEqual([
    { event: 'chat.message', says: [], prompt: 'clean up' },
    { event: 'message.updated', says: [{ kind: 'working', doing: 'thinking' }] },
    {
      event: 'tool.execute.before',
      says: [{ kind: 'working', doing: 'tool' }],
      tool: 'bash',
      about: 'rm x',
    },
    { event: 'permission.asked', says: [{ kind: 'waiting', for: 'permission' }], about: 'rm x' },
    { event: 'permission.replied', says: [{ kind: 'working', doing: 'thinking' }] },
    { event: 'tool.execute.after', says: [{ kind: 'working', doing: 'thinking' }] },
    { event: 'session.idle', says: [{ kind: 'idle', after: 'turn' }] },
  ])
})

test('pi: its extension tells of a turn with a tool, in order', async () => {
  const heard = await heardFrom('pi', 9, exports => {
    const handlers: Record<string, Handler> = {}
    ;(exports.default as Handler)({
      on: (name: string, handler: Handler) => {
        handlers[name] = handler
      },
    })
    const context = { cwd: '/work', sessionManager: { getSessionId: () => 'sid' } }
    const tell = (name: string, event: object = {}) => handlers[name]?.(event, context)
    tell('session_start', { reason: 'startup' })
    tell('agent_start')
    tell('message_end', { message: { role: 'user', content: [{ type: 'text', text: 'clean up' }] } })
    tell('tool_execution_start', {
      toolName: 'bash',
      args: { command: 'rm x', content: 'x'.repeat(2_000_000) },
    })
    tell('tool_execution_end', { toolName: 'bash', result: {} })
    const content = [
      { type: 'thinking', thinking: '…' },
      { type: 'text', text: 'Shall I go on?' },
    ]
    tell('message_end', { message: { role: 'assistant', stopReason: 'stop', content } })
    tell('agent_end', { messages: [] })
    tell('session_shutdown', { reason: 'quit' })
  })
  expect(heard.map(({ event, says }) => [event, says?.at(-1)])).toEqual([
    ['session', undefined],
    ['session_start', { kind: 'idle' }],
    ['agent_start', { kind: 'working', doing: 'thinking' }],
    ['message_end', undefined],
    ['tool_execution_start', { kind: 'working', doing: 'tool' }],
    ['tool_execution_end', { kind: 'working', doing: 'thinking' }],
    ['message_end', undefined],
    ['agent_end', { kind: 'idle', after: 'turn' }],
    ['session_shutdown', { kind: 'exited' }],
  ])
  expect(heard).toContainEqual(expect.objectContaining({ event: 'message_end', prompt: 'clean up' }))
  expect(heard).toContainEqual(expect.objectContaining({ tool: 'bash', about: 'rm x' }))
})

test.each(['opencode', 'pi'] as const)(
  '%s: its module never throws, also where nobody listens',
  async module => {
    const folder = temporaryFolder()
    const file = path.join(folder, 'lull.js')
    writeFileSync(
      file,
      moduleText(agents[module], { socket: '/no/such.sock', events: ['session.idle', 'agent_end'] }),
    )
    writeFileSync(path.join(folder, 'package.json'), '{"type":"module"}')
    const exports = (await import(pathToFileURL(file).href)) as Record<string, Handler>
    const circular: Record<string, unknown> = {}
    circular.self = circular
    if (module === 'opencode') {
      const plugin = (await exports.Lull?.()) as Record<string, Handler>
      await plugin.event?.({})
      await plugin.event?.({ event: { type: 'session.idle', properties: circular } })
      for (let i = 0; i < 1000; i++)
        await plugin.event?.({ event: { type: 'session.idle', properties: { i } } })
      return
    }
    const handlers: Handler[] = []
    exports.default?.({ on: (_: string, handler: Handler) => handlers.push(handler) })
    for (const handler of handlers) {
      handler(undefined, undefined)
      handler({ message: {} }, {})
      handler({ message: { content: 7, usage: circular } }, {})
    }
  },
)
