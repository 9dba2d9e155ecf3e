/**
 * How all agents are recognised by their command lines. Kept apart from their readers: recognising a process needs none
 * of them, and they take longer to load than all that a wait on a terminal needs.
 */

import type { AgentName } from './agent-names.ts'
import { commandLine as aider } from './aider/command-line.ts'
import { commandLine as amp } from './amp/command-line.ts'
import { commandLine as claude } from './claude/command-line.ts'
import { commandLine as cline } from './cline/command-line.ts'
import { commandLine as codex } from './codex/command-line.ts'
import { commandLine as copilot } from './copilot/command-line.ts'
import { commandLine as cursorAgent } from './cursor-agent/command-line.ts'
import { commandLine as droid } from './droid/command-line.ts'
import { commandLine as gemini } from './gemini/command-line.ts'
import { commandLine as goose } from './goose/command-line.ts'
import { commandLine as grok } from './grok/command-line.ts'
import { commandLine as kimi } from './kimi/command-line.ts'
import { commandLine as kiro } from './kiro/command-line.ts'
import type { CommandLine } from './kit/command-line.ts'
import { commandLine as opencode } from './opencode/command-line.ts'
import { commandLine as pi } from './pi/command-line.ts'
import { commandLine as qwen } from './qwen/command-line.ts'

export const commandLines: Readonly<Record<AgentName, CommandLine>> = {
  claude,
  codex,
  opencode,
  gemini,
  qwen,
  copilot,
  pi,
  cline,
  'cursor-agent': cursorAgent,
  amp,
  droid,
  kimi,
  aider,
  goose,
  grok,
  kiro,
}
