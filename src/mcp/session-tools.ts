/** The tools over sessions: which there are, waiting for them, why they are so, and answering what they ask. */

import type { CallToolResult, McpServer, ServerContext } from '@modelcontextprotocol/server'
import { z } from 'zod'
import { explainEvidence } from '../core/explain/explain.ts'
import { LullError } from '../core/lull-error.ts'
import { oneLine } from '../core/text/printable.ts'
import { homeFolder } from '../sessions/caller-context.ts'
import { jsonRow, sentenceOf } from '../sessions/session-json.ts'
import { nameOf } from '../sessions/session-names.ts'
import type { LiveSession } from '../sessions/session-source.ts'
import { type Goal, goals } from '../sessions/wait/wait-step.ts'
import { sessionShape } from '../shapes/session-shape.ts'
import { realClock } from '../track/clock.ts'
import type { ToolPorts } from './terminal-answer.ts'
import { boundedRows, dataNote, errorResult, toolResult, withProgress } from './tool-result.ts'

/** Of the JSON of a session what an agent needs: fewer fields, the same names and meanings. */
const rowShape = z.object({
  ...sessionShape.pick({
    ...{ id: true, agent: true, state: true, for: true, health: true, confidence: true, held: true },
    ...{ needsMe: true, need: true, settled: true, cwd: true, why: true },
  }).shape,
  name: z.string(),
  pane: z.string().optional().describe('address of its terminal'),
})

function sessionRow(live: LiveSession): z.infer<typeof rowShape> {
  const { pane, terminal } = live
  const now = clock.now()
  const row = jsonRow(live, now, clock.wall() - now)
  const at = terminal ?? (pane === undefined ? undefined : `tmux:${pane}`)
  return rowShape.parse({
    ...row,
    ...(row.cwd === undefined ? {} : { cwd: oneLine(row.cwd, 500) }),
    name: oneLine(nameOf(live, homeFolder()), 200),
    pane: at,
    why: whyOf(live),
  })
}

const clock = realClock()

/** The verdict as a sentence. */
export const whyOf = (live: LiveSession): string => oneLine(sentenceOf(live, clock.now()), 500)

const namedSentence = (live: LiveSession): string =>
  `${oneLine(nameOf(live, homeFolder()), 100)}: ${whyOf(live)}`

const session = z.string().describe('an id or its beginning, a name, tmux:%3, pid:123, or a folder')

export function addSessionTools(server: McpServer, ports: ToolPorts): void {
  server.registerTool(
    'sessions',
    {
      title: 'Sessions',
      description:
        'The coding agents, runs and terminals on this machine: what each does, waits for, and since when. Not you yourself. To know when one changes, call wait_for; do not poll this.',
      inputSchema: z.strictObject({}),
      outputSchema: z.object({ sessions: z.array(rowShape) }),
      annotations: { readOnlyHint: true },
    },
    () => listed(ports).catch(errorResult),
  )
  server.registerTool(
    'wait_for',
    {
      title: 'Wait for sessions',
      description:
        'Waits until a session is idle (its next instruction would be taken), settled (idle, nothing in its background, and no session that it started still works), waits for a person, is stuck or has exited. A timeout is a normal answer: call again. Agents take minutes: give a long timeout.',
      inputSchema: z.strictObject({
        session: z.union([session, z.array(session).min(1)]),
        until: z.enum(goals).default('idle'),
        next: z.boolean().default(false).describe('only a turn that begins from now on counts'),
        timeout: z.number().min(0).max(86_400).default(120).describe('seconds'),
      }),
      outputSchema: z.object({ outcome: z.string(), elapsed: z.number(), sessions: z.array(rowShape) }),
      annotations: { readOnlyHint: true },
    },
    (input, context) => waited(input, context, ports).catch(errorResult),
  )
  server.registerTool(
    'explain',
    {
      title: 'Why a session is what it is',
      description:
        'The verdict on a session with all its evidence: the report of each source, its age, and what would change it.',
      inputSchema: z.strictObject({ session }),
      outputSchema: z.object({
        session: rowShape,
        evidence: z.array(z.string()),
        outlook: z.array(z.string()),
      }),
      annotations: { readOnlyHint: true },
    },
    (input, _context) => explained(input.session, ports).catch(errorResult),
  )
  server.registerTool(
    'answer',
    {
      title: 'Answer a dialog',
      description:
        'What an agent asks in a dialog (a permission, a question), with the options; with `choice` it chooses one: yes, no, always, a number, or the option’s text. Only where the person who started this server allowed it.',
      inputSchema: z.strictObject({
        session,
        choice: z.string().optional().describe('none: only shows the question'),
        dialog: z
          .string()
          .optional()
          .describe('the id that an answer before named: nothing is pressed where another one is shown'),
      }),
      outputSchema: z.object({
        asks: z.boolean(),
        for: z.string().optional(),
        dialog: z.string().optional(),
        note: z.string(),
        rows: z.array(z.string()),
        whole: z
          .enum(['yes', 'perhaps', 'no'])
          .optional()
          .describe('no: not all of what it asks about is in the rows'),
        options: z.array(z.string()),
        answered: z.string().optional(),
      }),
    },
    (input, _context) => answered(input, ports).catch(errorResult),
  )
}

async function listed({ lull, confinement }: ToolPorts): Promise<CallToolResult> {
  const sessions = confinement.visible(await lull.sessions())
  const sentences = sessions.map(namedSentence)
  const text = sentences.length > 0 ? sentences.join('\n') : 'no session runs'
  return toolResult(text, { sessions: sessions.map(sessionRow) })
}

async function waited(
  input: {
    readonly session: string | readonly string[]
    readonly until: Goal
    readonly next: boolean
    readonly timeout: number
  },
  context: ServerContext,
  { lull, confinement }: ToolPorts,
): Promise<CallToolResult> {
  const begun = performance.now()
  const addresses = typeof input.session === 'string' ? [input.session] : input.session
  const ids = await Promise.all(addresses.map(async address => (await confinement.session(address)).id))
  const { until, next } = input
  const options = { until, next, timeout: input.timeout * 1000, signal: context.mcpReq.signal }
  const done = await withProgress(context, `waiting for ${until}`, () => lull.waitFor(ids, options))
  const elapsed = Math.round(performance.now() - begun) / 1000
  const text = `${done.outcome}, after ${elapsed} s: ${done.sessions.map(namedSentence).join('; ')}`
  return toolResult(text, { outcome: done.outcome, elapsed, sessions: done.sessions.map(sessionRow) })
}

async function explained(address: string, { lull, confinement }: ToolPorts): Promise<CallToolResult> {
  const found = await confinement.session(address)
  const { evidence, wouldChange } = await lull.explain(found.id)
  const now = realClock().now()
  const facts = evidence.map(
    ({ evidence: one, note }) =>
      oneLine(`${explainEvidence(one, now)}${note === '' ? '' : ` (${note})`}`, 300) as string,
  )
  const changes = wouldChange.map(sentence => oneLine(sentence, 300) as string)
  const text = [
    namedSentence(found),
    ...facts.map(fact => `* ${fact}`),
    'what would change it:',
    ...changes,
  ].join('\n')
  return toolResult(text, { session: sessionRow(found), evidence: facts, outlook: changes })
}

async function answered(
  {
    session: address,
    choice,
    dialog: expected,
  }: { readonly session: string; readonly choice?: string | undefined; readonly dialog?: string | undefined },
  { confinement, allowsAnswer }: ToolPorts,
): Promise<CallToolResult> {
  if (choice !== undefined && !allowsAnswer)
    throw new LullError(
      'REFUSED_TO_TYPE',
      'a person answers the dialogs of agents: lull mcp --allow-answer lets you',
      {
        outcome: 'waitsForPerson',
        typed: 0,
      },
    )
  await using terminal = await confinement.terminal(address, choice === undefined)
  const shown = await terminal.dialog()
  if (!shown) return toolResult('it shows no dialog', { asks: false, note: dataNote, rows: [], options: [] })
  const { rows, truncated } = boundedRows(shown.rows)
  const options = shown.options.map(({ label }) => oneLine(label, 300) as string)
  const whole = truncated ? 'no' : shown.whole
  const asked = { asks: true, for: shown.for, dialog: shown.id, note: dataNote, rows, whole, options }
  if (choice === undefined)
    return toolResult(`it asks (${shown.for}), dialog ${shown.id}: ${options.join(' | ')}`, asked, rows)
  const { chosen } = await terminal.answer(choice, { dialog: expected ?? shown.id })
  const answered = oneLine(chosen.join(', '), 300)
  return toolResult(`answered: ${answered}`, { ...asked, answered })
}
