import type { Agent } from '../kit/agent.ts'
import { commandLine } from './command-line.ts'
import { screens } from './screen.ts'

export const cursorAgent: Agent = {
  name: 'cursor-agent',
  title: 'Cursor CLI',
  process: commandLine,
  files: { transcripts: [] },
  screens,
}
