/** A home with dot files, a repository, long files, an ssh server and a database: what scenarios need, away from the person's own. */

import { execFileSync } from 'node:child_process'
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { missingTools, missingUnseen, panePath, type Tool, toolPath } from '../../scripts/setup-bench.ts'
import { placesOf } from '../../src/os/file/places.ts'
import { terminalRequests } from '../../src/owned/terminal-requests.ts'
import { newPlace } from '../lab/place.ts'
import { startDatabase } from './database.ts'
import { libraryFace } from './lull.ts'
import { startMcp } from './mcp-face.ts'
import type { Scenario } from './scenario.ts'
import { shellOf, writeDotFiles } from './shells.ts'
import { startSshd } from './sshd.ts'
import type { Stage } from './subject.ts'
import { buildUnseen } from './unseen/build.ts'

/** @param hasUnseen whether the programs of the section `unseen` are built and looked for as well */
export async function setStage(hasUnseen = false, isOwned = false, isByMcp = false): Promise<Stage> {
  const place = newPlace()
  const { home, work } = place
  for (const folder of [path.dirname(home), home, work]) chmodSync(folder, 0o755)
  writeDotFiles(home)
  const env = {
    PATH: panePath,
    HOME: home,
    LANG: 'C.UTF-8',
    TERM: 'screen-256color',
    SHELL: '/bin/bash',
  }
  const missing = new Set<Tool | 'root'>([
    ...missingTools(),
    ...(hasUnseen ? missingUnseen() : []),
    ...(process.getuid?.() === 0 ? [] : ['root' as const]),
  ])
  const has = (...tools: readonly Tool[]) => tools.every(tool => !missing.has(tool))
  const ssh = has('ssh', 'sshd', 'ssh-keygen') ? await startSshd(home, env) : undefined
  const database = has('psql', 'initdb') ? await startDatabase(work, env) : undefined
  const names: Record<string, string> = {
    home,
    ...ssh?.commands,
    ...(database && { psql: database.command }),
    ...writeFiles(home, env),
    ...(hasUnseen && buildUnseen(home, has)),
  }
  for (const tool of ['python3.11', 'python3.13', 'node', 'npm'] as const) {
    const found = toolPath(tool)
    if (found !== undefined) names[tool] = found
  }
  let runs = 0
  let mcp: Awaited<ReturnType<typeof startMcp>> | undefined
  return {
    home,
    env,
    isOwned,
    isByMcp,
    missing,
    async face(pane) {
      if (!isByMcp) return libraryFace(pane)
      // The places of the terminals are known by now.
      mcp ??= await startMcp({ ...env, ...placesEnvironment() })
      return mcp.face(pane)
    },
    folder() {
      const folder = path.join(work, String(runs++))
      mkdirSync(folder)
      chmodSync(folder, 0o777)
      return folder
    },
    ownFolder() {
      const folder = path.join(work, `own-${runs++}`)
      mkdirSync(folder, { mode: 0o700 })
      return folder
    },
    filled: (text, folder) =>
      text.replace(/\{([\w.-]+)\}/g, (whole, name: string) =>
        name === 'T' ? folder : (names[name] ?? whole),
      ),
    async close() {
      await mcp?.close()
      // Its terminals are closed by now: the server has none left.
      if (isOwned)
        await terminalRequests(placesOf().terminals)
          .stop()
          .catch(() => undefined)
      ssh?.close()
      database?.close()
      // Both end by themselves; a place that is removed under a database makes it complain.
      await pause(200)
      await place.remove()
    },
  }
}

const placesEnvironment = (): Readonly<Record<string, string>> =>
  Object.fromEntries(
    ['LULL_RUNTIME_DIR', 'XDG_STATE_HOME'].flatMap(name => {
      const value = process.env[name]
      return value === undefined ? [] : [[name, value]]
    }),
  )

/** The programs and rights that a scenario needs and this machine lacks. */
export const lacks = (stage: Stage, { shell, needs = [] }: Scenario): readonly string[] =>
  [shellOf(shell).tool, ...needs].filter(need => stage.missing.has(need))

const manual = `.TH DEMO 1
.SH NAME
demo \\- a page that is longer than a screen
.SH DESCRIPTION
${Array.from({ length: 60 }, (_, number) => `.PP\nParagraph ${number}.`).join('\n')}
`

/** Files that are only read, by the name that stands for them. */
function writeFiles(home: string, env: Stage['env']): Record<string, string> {
  const put = (name: string, text: string): string => {
    const file = path.join(home, name)
    writeFileSync(file, text)
    return file
  }
  const numbered = (count: number, text = '') =>
    Array.from({ length: count }, (_, at) => `line ${at + 1}${text}`)
  put('demo.1', manual)
  const lines = put('lines.txt', `${numbered(3000).join('\n')}\n`)
  const paste = put('paste.txt', `${numbered(400, ` ${'x'.repeat(50)}`).join('\n')}\n`)
  const program = put('program.py', 'x = 1\ny = 2\nprint(x + y)\n')
  const repo = path.join(home, 'repo')
  mkdirSync(repo)
  const git = (...args: readonly string[]) =>
    execFileSync('git', ['-C', repo, ...args], { env, stdio: 'ignore' })
  git('init')
  writeFileSync(path.join(repo, 'note'), 'first\n')
  git('add', 'note')
  for (let number = 1; number <= 20; number++) git('commit', '--allow-empty', '-m', `change ${number}`)
  writeFileSync(path.join(repo, 'note'), 'first\nsecond\n')
  return { lines, paste, program, repo }
}
