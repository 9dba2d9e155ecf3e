/** Rows of `pi --mode json`: its extension events under their own names, in one JSON object each. */

import { type Memory, type Moment, type Reading, refuse } from '../kit/agent.ts'
import { readRecord } from '../kit/fields.ts'
import { readPiEvent } from './hooks.ts'

export function readRow(line: string, moment: Moment, memory: Memory): Reading {
  const record = readRecord(line, 'row')
  if (!record.ok) return refuse(record.reason)
  const type = record.value.type
  if (typeof type !== 'string') return refuse('row: without a type')
  return readPiEvent(type.slice(0, 60), record.value, 'rows', moment, memory)
}
