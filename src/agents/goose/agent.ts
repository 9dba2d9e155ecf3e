import type { Agent } from '../kit/agent.ts'
import { commandLine } from './command-line.ts'
import { screens } from './screen.ts'

export const goose: Agent = {
  name: 'goose',
  title: 'Goose',
  process: commandLine,
  files: { transcripts: [] },
  screens,
}
