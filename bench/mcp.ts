/**
 * `npm run bench:mcp [CLI…]`: what a call by MCP costs over the library's own, the MCP inspector's checks, and real CLIs on the scripted model that do with
 * lull's tools what agents meet (`bench/mcp/agent-tasks.ts`); CLIs of the lab (`npm run lab`), Claude Code and Codex where none
 * is named. Exits 1 where a floor is missed or a task goes wrong.
 */
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { type LabCli, labClis, labCommand, labFolder } from '../scripts/setup-lab.ts'
import { placesOf } from '../src/os/file/places.ts'
import { terminalRequests } from '../src/owned/terminal-requests.ts'
import { playTasks, type Task } from './mcp/agent-tasks.ts'
import { inspect } from './mcp/inspector.ts'
import { measureOverhead } from './mcp/overhead.ts'
import { table } from './table.ts'

/** ms, p95 */
const overheadFloor = 5

/** What lets a CLI call the tools without asking its person. */
const flags: Partial<Readonly<Record<LabCli, readonly string[]>>> = {
  claude: ['--allowedTools', 'mcp__lull'],
  codex: ['--dangerously-bypass-approvals-and-sandbox'],
}

const folder = mkdtempSync(path.join(os.tmpdir(), 'lull-bench-mcp-'))
const env = {
  PATH: process.env.PATH ?? '',
  HOME: folder,
  LULL_RUNTIME_DIR: path.join(folder, 'r'),
  SHELL: '/bin/bash',
}
for (const name of ['TMUX', 'TMUX_PANE', 'LULL_TERMINAL']) delete process.env[name]
// The lab lies in the person's own home.
Object.assign(process.env, { LULL_LAB: labFolder(), ...env })

const missed: string[] = []
const overhead = await measureOverhead(env)
if (!(overhead.p95 <= overheadFloor)) missed.push('a call by MCP costs too much')
const ms = (value: number): string => value.toFixed(2)
process.stdout.write(
  `terminal read, 200 pairs: by MCP p50 ${ms(overhead.mcpP50)} ms, by the library ${ms(overhead.ownP50)} ms; over it p50 ${ms(overhead.p50)}, p95 ${ms(overhead.p95)} ms (≤ ${overheadFloor})\n\n`,
)
const inspected = inspect(labFolder(), env)
missed.push(...inspected.wrong)
process.stdout.write(
  `the MCP inspector: ${inspected.checks - inspected.wrong.length} of ${inspected.checks} checks are right\n\n`,
)
await terminalRequests(placesOf().terminals)
  .stop()
  .catch(() => undefined)

const named = process.argv.slice(2)
const wanted: readonly LabCli[] =
  named.length > 0 ? labClis.filter(name => named.includes(name)) : ['claude', 'codex']
const results: { readonly cli: LabCli; readonly tasks: readonly Task[] }[] = []
for (const cli of wanted) {
  if (!existsSync(labCommand(cli))) {
    process.stdout.write(`${cli} is skipped: npm run lab installs it\n`)
    continue
  }
  const tasks = await playTasks(cli, flags[cli] ?? [])
  results.push({ cli, tasks })
  for (const { name, isRight, answers } of tasks) {
    if (isRight) continue
    missed.push(`${cli}: ${name}`)
    process.stdout.write(`${cli}, ${name}:\n${answers.map(answer => `  ${answer}\n`).join('')}`)
  }
}
const names = [...new Set(results.flatMap(({ tasks }) => tasks.map(({ name }) => name)))]
const rows = names.map(name => [
  name,
  ...results.map(({ tasks }) => (tasks.find(task => task.name === name)?.isRight ? 'right' : 'WRONG')),
])
if (rows.length > 0) process.stdout.write(table(['', ...results.map(({ cli }) => cli)], rows))
rmSync(folder, { recursive: true, force: true })
const figures = results.map(({ cli, tasks }) => ({
  cli,
  tasks: tasks.length,
  right: tasks.filter(({ isRight }) => isRight).length,
}))
process.stdout.write(`${JSON.stringify({ bench: 'mcp', overhead, inspected, agents: figures, missed })}\n`)
process.exit(missed.length > 0 ? 1 : 0)
