import type { Agent } from '../kit/agent.ts'
import { commandLine } from './command-line.ts'
import { screens } from './screen.ts'

export const aider: Agent = {
  name: 'aider',
  title: 'Aider',
  process: commandLine,
  files: { transcripts: [] },
  screens,
}
