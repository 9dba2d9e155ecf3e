/** Where the night is played: a shell in tmux, a CLI that was started from it, the plan, and lull beside them. */
import { spawn } from 'node:child_process'
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { quoteWord } from '../../src/os/spawn/shell-words.ts'
import { resume } from '../day/resume.ts'
import { environmentOf, labAgent } from '../lab/agents.ts'
import type { LabAgent } from '../lab/lab-agent.ts'
import { newPlace, type Place } from '../lab/place.ts'
import { startTerminal, type Terminal } from '../lab/terminal.ts'
import { type NightCli, type Scene, wordsOf } from './scenes.ts'

const bin = path.resolve(import.meta.dirname, '../../bin/lull.js')

/** Where each keeps what it tells of itself. */
const tellsIn: Readonly<Record<NightCli, readonly string[]>> = {
  claude: ['.claude/projects', '.claude/sessions'],
  codex: ['.codex/sessions'],
}

type Ended = { readonly code: number; readonly stdout: string }

export type Stage = {
  readonly agent: LabAgent
  readonly place: Place
  readonly terminal: Terminal
  readonly env: Readonly<Record<string, string>>
  readonly plan: string
  lull(...words: readonly string[]): Promise<Ended>
  close(): Promise<void>
}

export async function setStage(cli: NightCli, model: string, isBlind: boolean): Promise<Stage> {
  const place = newPlace()
  const agent = labAgent(cli, place, model)
  for (const [file, content] of Object.entries(agent.files)) place.put(file, content)
  if (isBlind) for (const folder of tellsIn[cli]) hide(path.join(place.home, folder))
  const env = {
    ...environmentOf(agent, place),
    LULL_RUNTIME_DIR: path.join(place.home, 'r'),
    TERM: 'xterm-256color',
    PS1: '$ ',
    // All of its tools are at hand, and a limit is told at once.
    ENABLE_TOOL_SEARCH: 'false',
    CLAUDE_CODE_MAX_RETRIES: '1',
  }
  const lull = (...words: readonly string[]): Promise<Ended> =>
    new Promise(resolve => {
      const [program = '', ...args] = [...(isBlind ? blindfold : []), process.execPath, bin, ...words]
      const child = spawn(program, args, { env, cwd: place.work })
      let stdout = ''
      for (const stream of [child.stdout, child.stderr])
        stream.setEncoding('utf8').on('data', text => {
          stdout += text
        })
      child.on('close', code => resolve({ code: code ?? -1, stdout }))
    })
  if (!isBlind) await lull('hooks', 'install', cli, '--cli', agent.command[0] as string)
  const terminal = await startTerminal({
    command: ['/bin/bash', '--noprofile', '--norc', '-i'],
    cwd: place.work,
    env,
  })
  await terminal.waitFor(/\$/)
  await terminal.type(commandLine(agent, isBlind))
  await terminal.press('Enter')
  await terminal.waitFor(agent.screen.ready, 60_000)
  await pause(1500)
  // Claude Code makes its own folders its own again.
  if (isBlind) for (const folder of tellsIn[cli]) hide(path.join(place.home, folder))
  return {
    agent,
    place,
    terminal,
    env,
    plan: path.join(place.work, 'night.json'),
    lull,
    async close() {
      await lull('host', 'stop')
      await terminal.close()
      await place.remove()
    },
  }
}

const commandLine = ({ command, trustsHooks }: LabAgent, isBlind: boolean, more: readonly string[] = []) =>
  [...command, ...(isBlind ? [] : trustsHooks), ...more].map(quoteWord).join(' ')

/** Who is root reads all; without these rights, lull reads what its mode allows. */
const blindfold = process.getuid?.() === 0 ? ['setpriv', '--bounding-set=-dac_override,-dac_read_search'] : []

function hide(folder: string): void {
  mkdirSync(folder, { recursive: true })
  chmodSync(folder, 0)
}

/** Each prompt gets the next number right before it is typed. */
const numbering = 'n=$(($(cat n 2>/dev/null || echo 0) + 1)); echo $n > n; echo "$1 #$n#"\n'

/** It looks at the screen as a model would, and knows the code as one would. */
const judge = `import { readFileSync } from 'node:fs'
const prompt = readFileSync(0, 'utf8')
const code = /\\b[0-9a-f]{24}\\b/.exec(prompt)?.[0]
const rows = prompt.split('\\n').filter(row => row.trim() !== '').slice(-30).join('\\n')
const works = /esc to (interrupt|cancel)|[…] \\(|Do you want to|Would you like to|Enter to (select|confirm|submit)/i.test(rows)
process.stdout.write('VERDICT ' + code + ': ' + (works ? 'WORKING - it is at it' : 'IDLE - its composer is empty') + '\\n')
`

export function writePlan(
  stage: Stage,
  cli: NightCli,
  scenes: readonly Scene[],
  ms: number,
  isBlind: boolean,
): void {
  const { agent, place, plan } = stage
  writeFileSync(path.join(place.work, 'next.sh'), numbering)
  writeFileSync(path.join(place.work, 'judge.mjs'), judge)
  const steps = scenes.flatMap(scene => {
    const times = scene.isOnce ? { times: 1 } : {}
    return [
      ...(scene.keys ? [{ keys: scene.keys[cli], ...times }] : []),
      { output: `sh next.sh ${quoteWord(wordsOf(scene))}`, ...times },
      ...(scene.behind ? [{ command: scene.behind, ...times }] : []),
    ]
  })
  writeFileSync(
    plan,
    JSON.stringify({
      steps,
      // Its person leaves before.
      for: `${Math.round(ms / 1000) + 300}s`,
      relaunch: { on_crash: commandLine(agent, isBlind, resume[cli]) },
      timers: {
        person: '3s',
        silence: '4s',
        unknown: '5s',
        reset: '5s',
        unknown_reset: '40s',
      },
      ...(isBlind ? { judge: { command: [process.execPath, path.join(place.work, 'judge.mjs')] } } : {}),
    }),
  )
}
