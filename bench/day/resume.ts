/** How a CLI is started again on the session that it had in this folder, and how it begins a new one without an end. */
import type { LabCli } from '../../scripts/setup-lab.ts'

/** Cline resumes by a session's id alone. */
export const resume: Readonly<Partial<Record<LabCli, readonly string[]>>> = {
  claude: ['--continue'],
  codex: ['resume', '--last'],
  opencode: ['--continue'],
  gemini: ['--resume', 'latest'],
  pi: ['--continue'],
  qwen: ['--continue'],
  copilot: ['--continue'],
  cline: [],
}

/** OpenCode's first screen has words that it never shows in a session; a dialog may stand there again. */
export const resumedScreen: Readonly<Partial<Record<LabCli, RegExp>>> = {
  claude: /\? for shortcuts|Do you want to proceed/,
  codex: /› [^\n]*\n[\s\S]*·[^\n]*\/work|Would you like to run/,
  opencode: /ctrl\+p|Permission required/,
  gemini: /Type your message|Allow execution of/,
  pi: /lab-model/,
  qwen: /Type your message|Yes, allow once/,
  copilot: /\/ commands|Do you want to/,
  cline: /What can I do|Ask anything|\[y\] Approve/,
}

/** Begins a new conversation in the same process. */
export const clear: Readonly<Record<LabCli, string>> = {
  claude: '/clear',
  codex: '/clear',
  opencode: '/new',
  gemini: '/clear',
  pi: '/new',
  qwen: '/clear',
  copilot: '/clear',
  cline: '/clear',
  kimi: '/clear',
  grok: '/new',
  droid: '/new',
  kilo: '/new',
  auggie: '/new',
  cn: '/clear',
  nanocoder: '/clear',
}
