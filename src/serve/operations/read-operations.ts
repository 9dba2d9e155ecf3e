/** What the API reads: sessions, their screens and past. Nothing here types, or changes anything. */
import type { OpenAPIHono } from '@hono/zod-openapi'
import { z } from 'zod'
import { LullError } from '../../core/lull-error.ts'
import { weight } from '../../core/state.ts'
import { parseDuration } from '../../core/text/duration.ts'
import { styledRuns } from '../../core/text/styled-runs.ts'
import { dialogJson } from '../../drive/dialog/dialog-json.ts'
import { terminalWord } from '../../drive/terminal-word.ts'
import { openHistory } from '../../history/open-history.ts'
import { jsonAway, jsonEntry } from '../../sessions/history/past-json.ts'
import { awaySince, byTime, entriesAt, statesBetween } from '../../sessions/history/read-past.ts'
import { inFull, stateKind } from '../../sessions/history/session-past.ts'
import { byOutcome } from '../../sessions/history/while-away.ts'
import { byNeed, needsPerson } from '../../sessions/rank.ts'
import { jsonExplanation, jsonRow, reasonOf, thinRow } from '../../sessions/session-json.ts'
import type { LiveSession } from '../../sessions/session-source.ts'
import {
  dialogShape,
  historyShape,
  listShape,
  screenShape,
  sinceShape,
  statusShape,
  terminalShape,
  timelineShape,
} from '../../shapes/api-shapes.ts'
import { explainedShape } from '../../shapes/session-shape.ts'
import { isoOf } from '../../shapes/verdict-json.ts'
import type { ApiPorts } from '../api-ports.ts'
import { type ApiEnv, addOperation, countUpTo, flag, listOf, several, severalOf } from './operation.ts'

export function addReadOperations(app: OpenAPIHono<ApiEnv>, ports: ApiPorts): void {
  addSessions(app, ports)
  addTerminal(app, ports)
  addPast(app, ports)
  addOperation(
    app,
    {
      ...{ method: 'get', path: '/v1/status', operationId: 'getStatus' },
      summary: 'The host: its version, its sessions, the hooks that it received',
      answer: statusShape,
    },
    async ({ token: { name, scope } }) => ({
      at: isoOf(ports.clock.wall()),
      ...(await ports.status()),
      clients: ports.open.count('streams'),
      ...(ports.settings.readOnly ? { readOnly: true } : {}),
      token: { name, scope: ports.settings.readOnly ? 'read' : scope },
    }),
  )
}

function addSessions(app: OpenAPIHono<ApiEnv>, { lull, clock }: ApiPorts): void {
  const epochOf = () => clock.wall() - clock.now()

  addOperation(
    app,
    {
      ...{ method: 'get', path: '/v1/sessions', operationId: 'listSessions' },
      summary: 'All sessions, the most urgent first',
      query: z.object({
        state: severalOf(Object.keys(weight)).describe('only these states'),
        agent: several.describe('only these agents'),
        cwd: z.string().optional().describe('only in this folder, or below it'),
        needsMe: flag.describe('true: only what a person is needed for'),
      }),
      answer: listShape,
    },
    async ({ query: { state, agent, cwd, needsMe } }) => {
      const [states, agents] = [listOf(state), listOf(agent)]
      const isIn = (folder = ''): boolean =>
        folder === cwd || folder.startsWith(`${cwd?.replace(/\/$/, '')}/`)
      const isShown = (live: LiveSession): boolean =>
        (states.length === 0 || states.includes(live.session.verdict.state.kind)) &&
        (agents.length === 0 || agents.includes(live.agent)) &&
        (cwd === undefined || isIn(live.cwd)) &&
        (needsMe !== 'true' || needsPerson(live))
      const now = clock.now()
      const epoch = epochOf()
      const shown = byNeed(await lull.sessions()).filter(isShown)
      return { at: isoOf(clock.wall()), sessions: shown.map(live => thinRow(live, now, epoch)) }
    },
  )

  addOperation(
    app,
    {
      ...{ method: 'get', path: '/v1/sessions/{id}', operationId: 'getSession' },
      summary: 'A session with its evidence, its facts and the dialog that it shows',
      answer: explainedShape.extend({
        reason: z.string().describe('the sentence without ages, to stand beside `since`'),
        dialog: dialogShape.optional(),
        dialogProblem: z.string().optional(),
      }),
    },
    async ({ id }) => {
      const live = await lull.find(id)
      const now = clock.now()
      const row = jsonRow(live, now, epochOf())
      const explanation = jsonExplanation(live.session, now, epochOf())
      const isAsking = live.session.verdict.state.kind === 'waiting' && live.recording === undefined
      return {
        at: isoOf(clock.wall()),
        ...row,
        ...explanation,
        sentence: row.why,
        reason: reasonOf(live, now),
        ...(isAsking ? await dialogOf(live) : {}),
      }
    },
  )

  async function dialogOf({ id }: LiveSession) {
    try {
      await using terminal = await lull.terminal(id, { readOnly: true })
      const dialog = await terminal.dialog()
      return dialog ? { dialog: dialogJson(dialog) } : {}
    } catch (error) {
      if (error instanceof LullError) return { dialogProblem: error.message }
      throw error
    }
  }

  addOperation(
    app,
    {
      ...{ method: 'get', path: '/v1/sessions/{id}/screen', operationId: 'getScreen' },
      summary: 'The screen of its terminal as text, or with its colours',
      query: z.object({
        format: z
          .enum(['text', 'ansi', 'cells'])
          .optional()
          .describe('ansi: rows with SGR sequences; cells: also as runs with their colours (default text)'),
        lines: countUpTo(10_000).describe('the last so many lines instead of the screen'),
      }),
      answer: screenShape,
    },
    async ({ id, query: { format = 'text', lines } }) => {
      await using terminal = await lull.terminal(id, { readOnly: true })
      const { verdict, screen } = await terminal.observe()
      const raw = format !== 'text'
      const printed = await terminal.read(lines === undefined ? { screen: true, raw } : { lines, raw })
      const cells = format === 'cells' ? styledRuns(printed) : undefined
      const rows = cells?.map(runs => runs.map(({ text }) => text).join('')) ?? printed
      const { why, confidence } = verdict
      return {
        ...{ pane: terminal.pane.id, state: terminalWord(verdict), why, confidence, rows },
        ...(cells ? { cells } : {}),
        ...(screen?.cursor ? { cursor: { row: screen.cursor.row, column: screen.cursor.column } } : {}),
      }
    },
  )
}

function addTerminal(app: OpenAPIHono<ApiEnv>, { lull }: ApiPorts): void {
  addOperation(
    app,
    {
      ...{ method: 'get', path: '/v1/sessions/{id}/terminal', operationId: 'getTerminal' },
      summary: 'Where its terminal is; the agent in it and its dialog, each as the library has it',
      query: z.object({
        agent: flag.describe('true: with the id of the agent that runs in it'),
        patience: z.coerce
          .number()
          .min(0)
          .max(600_000)
          .optional()
          .describe('ms that an agent which begins may take to show its composer or a dialog'),
        dialog: flag.describe('true: with the dialog that it shows'),
      }),
      answer: terminalShape,
      lasts: ({ query: { patience = 0 } }) => patience,
    },
    async ({ id, query }) => {
      await using terminal = await lull.terminal(id, { readOnly: true })
      const agent = query.agent === 'true' ? await terminal.agent(query.patience) : undefined
      const dialog = query.dialog === 'true' ? await terminal.dialog() : undefined
      return { pane: terminal.pane, ...(agent ? { agent: agent.id } : {}), ...(dialog ? { dialog } : {}) }
    },
  )
}

function addPast(app: OpenAPIHono<ApiEnv>, { places, clock, boxes }: ApiPorts): void {
  const instant = z.string().max(40).optional()

  /** @throws {LullError} BAD_DURATION */
  function readInstant(text: string, now: number): number {
    const at = /^\d{4}-/.test(text) ? Date.parse(text) : Number.NaN
    // Long before there was a history: a date has its limits.
    return Math.max(0, Number.isNaN(at) ? now - parseDuration(text) : at)
  }

  /** @throws {LullError} BAD_DURATION */
  function timeOf({ since = '24h', until }: { since?: string | undefined; until?: string | undefined }) {
    const now = clock.wall()
    return {
      from: readInstant(since, now),
      to: until === undefined ? now + 1 : readInstant(until, now),
    }
  }

  function withHistory<T>(read: (history: ReturnType<typeof openHistory>) => T): T {
    const history = openHistory(places, { readOnly: true })
    try {
      return read(history)
    } finally {
      history.close()
    }
  }

  addOperation(
    app,
    {
      ...{ method: 'get', path: '/v1/sessions/{id}/history', operationId: 'getHistory' },
      summary: 'The past states of a session, the oldest first, also of one that has ended',
      query: z.object({
        since: instant.describe('default 24h'),
        until: instant,
        most: countUpTo(10_000).describe('the newest so many (default 1000)'),
      }),
      answer: historyShape,
    },
    async ({ id, query: { since, until, most = 1000 } }) => {
      const { from, to } = timeOf({ since, until })
      return withHistory(history => {
        const found = entriesAt(history, id, id, { since: from, until: to, most, kinds: [stateKind] })
        return { entries: inFull(found.toSorted(byTime)).map(jsonEntry) }
      })
    },
  )

  addOperation(
    app,
    {
      ...{ method: 'get', path: '/v1/history', operationId: 'listHistory' },
      summary:
        'The states of all sessions in a time, the oldest first, and first those that they had at its beginning',
      query: z.object({
        since: instant.describe('default 24h'),
        until: instant,
        most: countUpTo(20_000).describe('the newest so many changes (default 5000)'),
      }),
      answer: timelineShape,
    },
    async ({ query: { since, until, most = 5000 } }) => {
      const { from, to } = timeOf({ since, until })
      return withHistory(history => {
        const { since: begin, isCut, entries } = statesBetween(history, from, to, most)
        return {
          ...{ since: isoOf(begin), until: isoOf(to) },
          ...(isCut ? { truncated: true } : {}),
          entries: entries.map(jsonEntry),
        }
      })
    },
  )

  addOperation(
    app,
    {
      ...{ method: 'get', path: '/v1/since', operationId: 'getSince' },
      summary: 'What became of each session since an instant: what lull since prints',
      query: z.object({ time: z.string().max(40).describe('a duration back from now (8h), or an ISO time') }),
      answer: sinceShape,
    },
    async ({ query: { time } }) => {
      const now = clock.wall()
      const from = readInstant(time, now)
      const there = boxes?.since(from, now)
      const here = withHistory(history => awaySince(history, from, now))
      const { away = [], unasked = [] } = (await there) ?? {}
      return {
        entries: [...here, ...away].sort(byOutcome).map(jsonAway),
        ...(unasked.length > 0 ? { unasked } : {}),
      }
    },
  )
}
