import type { HookedAgent } from '../kit/agent.ts'
import { ownSession } from '../kit/own-session.ts'
import { commandLine } from './command-line.ts'
import { hookPlan } from './hook-plan.ts'
import { readHook } from './hooks.ts'
import { mcpPlan } from './mcp-plan.ts'
import { readOsc } from './osc.ts'
import { readRow } from './rows.ts'
import { screens } from './screen.ts'
import { readStatus, statusOrigin } from './status-file.ts'
import { readLine } from './transcript.ts'

export const claude: HookedAgent = {
  name: 'claude',
  title: 'Claude Code',
  process: commandLine,
  files: {
    transcripts: ['.claude/projects/*/*.jsonl'],
    status: '.claude/sessions/*.json',
    beside: 'subagents/agent-*.jsonl',
    moved: { variable: 'CLAUDE_CONFIG_DIR', folder: '.claude' },
  },
  readHook: ownSession(readHook),
  readLine,
  readStatus,
  statusOrigin,
  readOsc,
  readRow,
  headless: {
    rows: ['--output-format stream-json', '--output-format json'],
    // ralphify asks a binary of this name for rows, and no other.
    asksUnless: '--output-format',
    needs: '--verbose',
  },
  composer: /^[\s│┃|]*❯(?:[ \u00a0]|$)/u,
  sessionTitle: /^[✳◐◑◒◓\u2800-\u28ff]\S* (?!Claude Code$)(.+)/u,
  screens,
  hooks: hookPlan,
  skills: {
    user: { path: '.claude/skills', moved: { variable: 'CLAUDE_CONFIG_DIR', folder: '.claude' } },
    project: '.claude/skills',
  },
  mcp: mcpPlan,
}
