import type { Agent } from '../kit/agent.ts'
import { commandLine } from './command-line.ts'
import { screens } from './screen.ts'

export const kiro: Agent = {
  name: 'kiro',
  title: 'Kiro CLI',
  process: commandLine,
  files: { transcripts: [] },
  screens,
}
