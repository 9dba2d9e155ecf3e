/**
 * How all agents are recognised by their command lines. Kept apart from their readers: recognising a process needs none
 * of them, and they take longer to load than all that a wait on a terminal needs.
 */

import type { AgentName } from './agent-names.ts'
import { commandLine as claude } from './claude/command-line.ts'
import { commandLine as cline } from './cline/command-line.ts'
import { commandLine as codex } from './codex/command-line.ts'
import { commandLine as copilot } from './copilot/command-line.ts'
import { commandLine as gemini } from './gemini/command-line.ts'
import type { CommandLine } from './kit/agent.ts'
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
}
