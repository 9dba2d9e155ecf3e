import type { Agent } from '../shape.ts'
import { readPiEvent } from './hooks.ts'
import { readOsc } from './osc.ts'
import { readRow } from './rows.ts'
import { readLine } from './transcript.ts'

export const pi: Agent = {
  name: 'pi',
  title: 'pi',
  process: { argv0: ['pi'], script: /@mariozechner\/pi-coding-agent/ },
  files: { transcripts: ['.pi/agent/sessions/**/*.jsonl'] },
  readHook: (input, moment, memory) => readPiEvent(input.event, input.payload, 'hook', moment, memory),
  readLine,
  readOsc,
  readRow,
  screens: [],
}
