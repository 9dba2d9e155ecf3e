/**
 * A program that calls itself Claude Code and runs its hooks as Claude Code does, in no terminal: `node hooked-agent.ts FORWARDER`, as
 * `exec -a claude`. On its stdin `ask COMMAND` asks for a permission, and `go on` is a person who allows it at the keyboard. Each
 * decision that a hook prints is a line on its stdout, and an empty line is a hook that decided nothing.
 */
import { spawn } from 'node:child_process'
import { appendFileSync, mkdirSync } from 'node:fs'
import path from 'node:path'
import { createInterface } from 'node:readline'
import { hookCommand } from '../../src/hooks/hook-command.ts'

const [, , forwarder = ''] = process.argv
const env = { ...process.env, CLAUDE_PID: String(process.pid), CLAUDE_CODE_SESSION_ATTENDED: '1' }
let asked: string | undefined
const folder = path.join(process.env.HOME ?? '', '.claude/projects/hooked')
const transcript = path.join(folder, `s${process.pid}.jsonl`)
mkdirSync(folder, { recursive: true })
appendFileSync(transcript, '')

function hook(event: string, more: object = {}): Promise<string> {
  const named = event === 'PermissionRequest' ? event : undefined
  const child = spawn('/bin/sh', ['-c', hookCommand(forwarder, 'claude', named)], { env })
  const payload = {
    session_id: `s${process.pid}`,
    transcript_path: transcript,
    hook_event_name: event,
    cwd: process.cwd(),
    ...more,
  }
  child.stdin.end(JSON.stringify(payload))
  let printed = ''
  child.stdout.on('data', piece => {
    printed += piece
  })
  return new Promise(resolve => child.on('close', () => resolve(printed)))
}

const tool = () => ({ tool_name: 'Bash', tool_input: { command: asked } })

async function goOn(): Promise<void> {
  if (asked === undefined) return
  const done = tool()
  asked = undefined
  await hook('PostToolUse', done)
}

/** As its transcript notes a refusal. */
function stop(): void {
  const refusal = { toolDenialKind: 'user-rejected', toolDenialBeforeRun: true }
  const message = {
    content: [{ type: 'tool_result', tool_use_id: 't1', is_error: true, content: 'refused' }],
  }
  const row = { type: 'user', timestamp: new Date().toISOString(), message, ...refusal }
  asked = undefined
  appendFileSync(transcript, `${JSON.stringify(row)}\n`)
}

async function ask(command: string): Promise<void> {
  await hook('UserPromptSubmit', { prompt: 'go', prompt_id: command })
  asked = command
  const printed = await hook('PermissionRequest', tool())
  process.stdout.write(`${printed.trim()}\n`)
  if (printed.includes('"deny"')) stop()
  else if (printed !== '') await goOn()
}

/** What a call came to is told before the next one asks. */
let before: Promise<void> = Promise.resolve()
for await (const line of createInterface(process.stdin)) {
  if (line === 'go on') void goOn()
  else before = before.then(() => ask(line.slice('ask '.length)))
}
