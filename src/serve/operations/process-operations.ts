/** What the process tree of a session does or waits for: what `lull explain --processes` prints. */
import type { OpenAPIHono } from '@hono/zod-openapi'
import type { z } from 'zod'
import { defined } from '../../core/defined.ts'
import { LullError } from '../../core/lull-error.ts'
import { redact } from '../../core/redact/redact.ts'
import { oneLine } from '../../core/text/printable.ts'
import { readArguments } from '../../os/proc/command-line.ts'
import { describe, mostRows, type WaitRow, waitRows, waitText } from '../../process/describe.ts'
import type { Diagnosis } from '../../process/diagnosis.ts'
import { processesShape } from '../../shapes/api-shapes.ts'
import { isoOf } from '../../shapes/verdict-json.ts'
import type { ApiPorts } from '../api-ports.ts'
import { type ApiEnv, addOperation } from './operation.ts'

export function addProcessOperations(app: OpenAPIHono<ApiEnv>, { lull, clock }: ApiPorts): void {
  const looks = new Map<number, Promise<Diagnosis | undefined>>()

  /** A look takes some time of the host: those who ask meanwhile get the same one. */
  function lookAt(pid: number): Promise<Diagnosis | undefined> {
    const look = looks.get(pid) ?? lull.diagnose(pid).finally(() => looks.delete(pid))
    looks.set(pid, look)
    return look
  }

  addOperation(
    app,
    {
      ...{ method: 'get', path: '/v1/sessions/{id}/processes', operationId: 'getProcesses' },
      summary: 'Its process tree: who waits for whom, and whether anything can still move it',
      answer: processesShape,
    },
    async ({ id: address }) => {
      const { id, pid, recording } = await lull.find(address)
      if (recording !== undefined)
        throw new LullError('RECORDED', `${id} is a recording: its processes are not here`)
      const diagnosis = await lookAt(pid)
      if (!diagnosis)
        throw new LullError('NO_SESSION', `${id} has ended: no process ${pid} runs any more`, { address })
      return processesJson(diagnosis, pid, clock.wall() - clock.now())
    },
  )
}

/** @param epoch ms since the epoch at the monotonic 0 */
function processesJson(diagnosis: Diagnosis, pid: number, epoch: number): z.infer<typeof processesShape> {
  const { cause, proof, isBlocked, until, doubts } = diagnosis
  const rows = waitRows(diagnosis)
  const pids = new Map(rows.map(({ wait }) => [wait.tid, wait.pid]))
  const more = rows.length - mostRows
  return {
    ...{ pid, sentence: describe(diagnosis), cause, proof, isBlocked, doubts: [...doubts] },
    ...(until === undefined ? {} : { until: isoOf(epoch + until) }),
    rows: rows.slice(0, mostRows).map(row => rowJson(row, pids)),
    ...(more > 0 ? { more } : {}),
  }
}

const mostWords = 200

/** @param pids of the threads of the tree */
function rowJson({ wait, depth, isLeaf }: WaitRow, pids: ReadonlyMap<number, number>) {
  const { pid, tid, name, waker } = wait
  const command = readArguments(pid, 4096).join(' ').trim() || name
  const whom = new Set(waker.map(woken => pids.get(woken) ?? woken))
  return {
    ...{ pid, depth, name: oneLine(name, mostWords), command: oneLine(redact(command), mostWords) },
    ...{ waits: oneLine(waitText(wait), mostWords), whom: [...whom] },
    ...defined({ thread: tid === pid ? undefined : tid, isLeaf: isLeaf || undefined }),
  }
}
