import { commandLines } from '../command-lines.ts'
import { hookPlanOf } from '../hook-plans.ts'
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
import { atComposer, rule, type ScreenRules, waiting, working } from '../screen/screen-rule.ts'
import { waitsForOthers } from '../screen/work-counts.ts'
import { readHook } from './hooks.ts'
import { readRequest } from './requests.ts'
import { readRow } from './rows.ts'
import { readStatus, statusOrigin } from './status-file.ts'
import { readLine } from './transcript.ts'

/** `✽ Brewing… (4s · ↓ 29 tokens)`; a prompt, a message and a tool begin otherwise. */
const spinning = /^ {0,2}[·✢✳✶✻✽✺∗*⋆◐◓◑◒]\s\S.{0,80}?(?:…|\.{3})(?:\s*$|\s*[(·])/u

/** Glyph and verb of the spinner are random: its rule matches the shape of the row. */
const screens: ScreenRules = {
  version: '2.1.330',
  turnOver: /^ {0,2}\S \S+ for \d[\dhms ]*(?: ·|$)/u,
  rules: [
    rule('transcript', 'bottom', /\bshowing detailed transcript\b/i, atComposer(), {
      isMenu: true,
      confidence: 0.6,
    }),
    rule('resume', 'bottom', /^ {0,2}Resume (?:Session|a conversation)\b/, atComposer(), {
      isMenu: true,
      confidence: 0.8,
    }),
    rule('mode-modal', 'dialog', /\bmake auto mode your default\b/i, waiting('dialog')),
    rule('settings-warning', 'dialog', /\bsettings (?:warning|error)\b/i, waiting('dialog')),
    rule(
      'plan',
      'dialog',
      /\b(?:would you like to proceed|ready to code|written up a plan|auto-?accept edits)\b/i,
      waiting('plan'),
      {
        unless: /\brequires approval\b/i,
      },
    ),
    rule(
      'question',
      'dialog',
      /\benter to select\b.*\b(?:navigate|tab)\b|^\s*(?:\d\.\s+)?(?:type something|chat about this)\b/i,
      waiting('question'),
      {
        unless:
          /\bdo you want to (?:proceed|make|create|allow)\b|\b(?:model|resume|theme|config|settings)\b/i,
      },
    ),
    rule('api-retry', 'activity', /^ {0,2}\S .{0,120}· retrying in \d/u, working('retrying')),
    rule('api-wait', 'activity', /^ {0,2}\S Waiting for API response\b/u, working('retrying')),
    rule('compacting', 'activity', /^ {0,2}\S Compacting conversation\b/u, working('compacting')),
    rule('spinner', 'activity', spinning, working(), { unless: waitsForOthers }),
    rule('api-error', 'recent', /^ {0,2}[●⏺]\s+API Error\b/u, atComposer('error'), {
      unless: /\besc to interrupt\b/i,
    }),
  ],
}

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
  process: commandLines.claude,
  files: {
    transcripts: ['.claude/projects/*/*.jsonl'],
    status: '.claude/sessions/*.json',
    beside: 'subagents/agent-*.jsonl',
    moved: { variable: 'CLAUDE_CONFIG_DIR', folder: '.claude' },
  },
  inherited: { variable: 'CLAUDE_PID', holds: 'pid' },
  readHook: ownSession(readHook),
  readRequest,
  readLine,
  readStatus,
  statusOrigin,
  readOsc,
  readRow,
  headless: {
    rows: ['--output-format stream-json', '--output-format json'],
    // Qwen Code prints the same, and writes `permission_mode` where Claude Code writes `permissionMode`.
    begins: { type: /^system$/, subtype: /^init$/, session_id: /./, permission_mode: 'undefined' },
    answers: { type: /^result$/, subtype: /./, is_error: 'boolean' },
    // ralphify asks a binary of this name for rows, and no other.
    asksUnless: '--output-format',
    needs: '--verbose',
  },
  sessionTitle: /^[✳◐◑◒◓\u2800-\u28ff]\S* (?!Claude Code$)(.+)/u,
  screens,
  hooks: hookPlanOf.claude,
  skills: {
    user: { path: '.claude/skills', moved: { variable: 'CLAUDE_CONFIG_DIR', folder: '.claude' } },
    project: '.claude/skills',
  },
  mcp: mcpPlan,
}
