import type { Agent } from '../kit/agent.ts'
import { commandLine } from './command-line.ts'
import { screens } from './screen.ts'

export const amp: Agent = {
  name: 'amp',
  title: 'Amp',
  process: commandLine,
  files: { transcripts: [] },
  screens,
}
