/** Loops and respawns over HTTP: what runs, and what their commands and signals can do to it. Nothing else is offered. */
import type { OpenAPIHono } from '@hono/zod-openapi'
import { z } from 'zod'
import { defined } from '../../core/defined.ts'
import { LullError } from '../../core/lull-error.ts'
import { controlLoop, type LoopControl, loopControls, loopStatus } from '../../loop/loop-control.ts'
import type { LoopStatus } from '../../loop/loop-runner.ts'
import { findRespawn } from '../../respawn/control/find-respawn.ts'
import { controlRespawn, jsonRespawn, listRespawns } from '../../respawn/control/respawn-requests.ts'
import type { RespawnControl } from '../../respawn/control/respawn-server.ts'
import type { RespawnStatus } from '../../respawn/status.ts'
import { loopIds, stopLoop } from '../../sessions/runs/published-loops.ts'
import { jsonRow } from '../../sessions/session-json.ts'
import { loopShape, loopsShape, respawnShape, respawnsShape } from '../../shapes/api-shapes.ts'
import type { ApiPorts } from '../api-ports.ts'
import type { AddAction } from './add-action.ts'
import { type ApiEnv, addOperation } from './operation.ts'

export function addSteering(app: OpenAPIHono<ApiEnv>, action: AddAction, ports: ApiPorts): void {
  addRespawns(app, action, ports)
  addLoops(app, action, ports)
}

const summaries: Readonly<Record<RespawnControl, string>> = {
  pause: 'The respawn types nothing until it is resumed',
  resume: 'The respawn goes on after a pause',
  skip: 'The respawn leaves out its next step',
  stop: 'Ends the respawn, once nothing is being typed; the agent keeps running',
}

/** Whether the effect shows. A skip of a step that is being typed shows later. */
const isConfirmed: Readonly<
  Record<RespawnControl, (after: RespawnStatus, before: RespawnStatus | undefined) => boolean>
> = {
  pause: ({ phase }) => phase === 'paused',
  resume: ({ phase }) => phase !== 'paused' && phase !== 'stopped',
  skip: (after, before) => after.step !== before?.step || after.cycle !== before.cycle,
  stop: ({ phase }) => phase === 'stopped',
}

function addRespawns(
  app: OpenAPIHono<ApiEnv>,
  action: AddAction,
  { lull, places, complain }: ApiPorts,
): void {
  const list = () => listRespawns(places, complain)

  addOperation(
    app,
    {
      ...{ method: 'get', path: '/v1/respawns', operationId: 'listRespawns' },
      summary: 'The respawns that run: phase, step and cycle of each, and what it sees',
      answer: respawnsShape,
    },
    async () => ({ respawns: (await list()).map(jsonRespawn) }),
  )

  for (const what of Object.keys(summaries) as RespawnControl[])
    action(
      {
        what: `${what}Respawn`,
        path: `/v1/respawns/{id}/${what}`,
        summary: summaries[what],
        body: z.strictObject({}),
        text: () => '',
        effect: { respawn: respawnShape.describe('as it is now') },
      },
      async ({ id }) => {
        const session = await findRespawn(id, places, lull.find)
        const before = (await list()).find(one => one.session === session)
        const after = await controlRespawn(places, session, what)
        return { confirmed: isConfirmed[what](after, before), respawn: jsonRespawn(after) }
      },
    )
}

const loopSummaries: Readonly<Record<LoopControl, string>> = {
  pause: 'The loop begins no further iteration until it is resumed',
  resume: 'The loop goes on after a pause, with what was left of its wait',
  skip: 'The next iteration begins now, after a wait or a pause',
}

/** Whether it has the effect. A skip has none while an iteration runs, and none of them on a loop that has stopped. */
const isLoopConfirmed: Readonly<Record<LoopControl, (after: LoopStatus, before: LoopStatus) => boolean>> = {
  pause: ({ phase, isPausing }) => phase === 'paused' || isPausing,
  resume: ({ phase, isPausing }) => (phase === 'iterating' && !isPausing) || phase === 'delaying',
  skip: (after, before) => before.phase !== 'iterating' && after.iteration > before.iteration,
}

function addLoops(app: OpenAPIHono<ApiEnv>, action: AddAction, { lull, places, clock }: ApiPorts): void {
  addOperation(
    app,
    {
      ...{ method: 'get', path: '/v1/loops', operationId: 'listLoops' },
      summary: 'The loops that run, as lull ps shows them: iteration, last result, when the next begins',
      answer: loopsShape,
    },
    async () => {
      const ids = loopIds(places.runs)
      const now = clock.now()
      const all = await lull.sessions()
      const loops = all
        .filter(({ id }) => ids.has(id))
        .map(async live => ({
          ...jsonRow(live, now, clock.wall() - now),
          ...defined({ loop: await loopStatus(places, live.id) }),
        }))
      return { loops: await Promise.all(loops) }
    },
  )

  for (const what of loopControls)
    action(
      {
        what: `${what}Loop`,
        path: `/v1/loops/{id}/${what}`,
        summary: loopSummaries[what],
        body: z.strictObject({}),
        text: () => '',
        effect: { loop: loopShape.describe('what it does now') },
      },
      async ({ id: address }) => {
        const { id } = await lull.find(address)
        const { before, after } = await controlLoop(places, id, what)
        return { confirmed: isLoopConfirmed[what](after, before), loop: after }
      },
    )

  action(
    {
      what: 'stopLoop',
      path: '/v1/loops/{id}/stop',
      summary: 'Ends the loop and its agent, as SIGTERM does',
      body: z.strictObject({}),
      text: () => '',
    },
    async ({ id: address }) => {
      const { id } = await lull.find(address)
      const isEnded = await stopLoop(places.runs, id)
      if (isEnded === undefined)
        throw new LullError('NO_SESSION', `${id} is no loop that runs: GET /v1/loops lists them`, { address })
      return { confirmed: isEnded }
    },
  )
}
