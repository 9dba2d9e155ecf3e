import {
  type HookedAgent,
  type Memory,
  type Moment,
  nothing,
  type Reading,
  read,
  remember,
  type SignRule,
  show,
} from '../kit/agent.ts'
import type { McpPlan } from '../kit/mcp-plan.ts'
import { isTitle, type Osc, progressOf } from '../kit/osc.ts'
import { ownSession } from '../kit/own-session.ts'
import { readStatusCommand } from '../kit/status-protocol.ts'
import { commandLine } from './command-line.ts'
import { hookPlan } from './hook-plan.ts'
import { readHook } from './hooks.ts'
import { readRow } from './rows.ts'
import { screens } from './screen.ts'
import { readStatus, statusOrigin } from './status-file.ts'
import { readLine } from './transcript.ts'

const mcpPlan: McpPlan = {
  user: { path: '.claude.json', moved: { variable: 'CLAUDE_CONFIG_DIR', folder: '' } },
  project: { path: '.mcp.json' },
  format: 'json',
  table: 'mcpServers',
  entry: ({ command, args }) => ({ type: 'stdio', command, args, env: {} }),
}

const title: SignRule = { source: 'title', tier: 'seen', lag: 1500, excludes: [] }
const progress: SignRule = { source: 'progress', tier: 'seen', lag: 1500, excludes: [] }

function readOsc(osc: Osc, moment: Moment, memory: Memory): Reading {
  const { seen } = moment
  if (osc.code === 7501) return readStatusCommand(osc.text, 'claude-code', moment)
  const bar = progressOf(osc)
  if (bar) {
    return read(
      show(progress, `9;${osc.text}`, { kind: bar === 'shown' ? 'working' : 'unknown' }, seen, seen),
    )
  }
  if (!isTitle(osc)) return nothing
  const what = osc.text.slice(0, 40)
  if (/^[◐◑]/u.test(osc.text))
    return remember({ moved: true }, show(title, what, { kind: 'working' }, seen, seen))
  return memory.moved && osc.text.startsWith('✳')
    ? read(show(title, what, { kind: 'idle' }, seen, seen))
    : nothing
}

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
