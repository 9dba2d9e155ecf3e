/** A real pane in a tmux server of its own: type, press, read, and see signs, all without lull. */

import { execFile } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { promisify } from 'node:util'
import { toolPath } from '../../scripts/setup-bench.ts'
import { atExit } from '../lab/leftovers.ts'
import { openOwnedPane } from './owned-pane.ts'
import { openPipe } from './pipe.ts'
import { descendants, endAll } from './processes.ts'
import type { Sign, Step } from './scenario.ts'
import { shellOf, type shells } from './shells.ts'
import type { Pane, Stage } from './subject.ts'

const run = promisify(execFile)
const glanceMs = 15
/** A JVM beside others takes its time. */
const patienceMs = 30_000

/** Opens a pane with a shell, or where the stage is so a terminal of lull's own, and waits for its prompt. */
export async function openPane(stage: Stage, shell: keyof typeof shells, size = '110x30'): Promise<Pane> {
  if (stage.isOwned) return openOwnedPane(stage, shell, size)
  const folder = stage.folder()
  const own = stage.ownFolder()
  const socket = path.join(own, 'tmux')
  const { tool, args = [], dots, prompt } = shellOf(shell)
  const env = { ...stage.env, ...(dots !== undefined && { ZDOTDIR: path.join(stage.home, dots) }) }
  const tmux = async (...words: readonly string[]): Promise<string> => {
    const command = ['-u', '-S', socket, '-f', '/dev/null', ...words]
    return (await run('tmux', command, { env, maxBuffer: 1e8 })).stdout.replace(/\n$/, '')
  }
  const [width = '', height = ''] = size.split('x')
  const options = [
    'set-option',
    '-g',
    'status',
    'off',
    ';',
    'set-option',
    '-g',
    'default-terminal',
    'screen-256color',
  ]
  const command = [toolPath(tool) ?? tool, ...args]
  await tmux(
    'start-server',
    ';',
    ...options,
    ';',
    'new-session',
    '-d',
    '-c',
    folder,
    '-x',
    width,
    '-y',
    height,
    '--',
    ...command,
  )
  const told = await tmux('display-message', '-p', '#{pane_id} #{session_id} #{pane_pid} #{pid}')
  const [id = '', session = '', pid = '', server = ''] = told.split(' ')
  if (!(Number(pid) > 1 && Number(server) > 1)) throw new Error(`tmux names no processes: ${told}`)
  const withdraw = atExit(() => endAll([...descendants(Number(pid)), Number(pid), Number(server)]))
  const screen = () => tmux('capture-pane', '-p', '-t', id)
  const filled = (text: string) => stage.filled(text, folder).replaceAll('{own}', own)

  async function isSeen(sign: Sign): Promise<boolean> {
    if ('file' in sign) {
      const file = path.join(folder, sign.file)
      if (!existsSync(file)) return false
      return sign.holds === undefined || readFileSync(file, 'utf8').trim() === sign.holds
    }
    if ('gone' in sign) return !existsSync(path.join(folder, sign.gone))
    if ('closed' in sign)
      return !(await tmux('list-panes', '-a', '-F', '#{pane_id}').catch(() => '')).split('\n').includes(id)
    if ('runs' in sign)
      return (await tmux('display-message', '-p', '-t', id, '#{pane_current_command}')) === sign.runs
    if ('hides' in sign) return !sign.hides.test(await screen())
    return sign.shows.test(await screen())
  }
  async function sees(signs: readonly Sign[], timeout = patienceMs): Promise<boolean> {
    const deadline = performance.now() + timeout
    for (;;) {
      const seen = await Promise.all(signs.map(isSeen))
      if (seen.every(Boolean)) return true
      if (performance.now() > deadline) return false
      await pause(glanceMs)
    }
  }
  async function step(wanted: Step): Promise<void> {
    // tmux takes a semicolon at the end of an argument for its own.
    const literal = (text: string) =>
      tmux('send-keys', '-t', id, '-l', '--', filled(text).replace(/;$/, '\\;'))
    if (typeof wanted === 'string') {
      if (wanted !== '') await literal(wanted)
      await tmux('send-keys', '-t', id, 'Enter')
    } else if ('keys' in wanted) await tmux('send-keys', '-t', id, '--', ...wanted.keys)
    else if ('text' in wanted) await literal(wanted.text)
    else if ('paste' in wanted)
      await tmux('load-buffer', filled(wanted.paste), ';', 'paste-buffer', '-d', '-p', '-t', id)
    else if ('kills' in wanted) endAll(descendants(Number(pid), wanted.kills))
    else if ('tmux' in wanted) await tmux(...wanted.tmux.map(word => filled(word).replaceAll('{pane}', id)))
    else if (!(await sees([wanted])))
      throw new Error(`${JSON.stringify(wanted, printed)} was not seen on\n${await screen().catch(String)}`)
  }
  const pane: Pane = {
    socket,
    id,
    pid: Number(pid),
    folder,
    own,
    screen,
    lastLines: most => tmux('capture-pane', '-t', id, '-p', '-S', `-${most}`),
    async reader() {
      const pipe = await openPipe(socket, session)
      return { read: () => pipe.ask(`capture-pane -t ${id} -p`), close: () => pipe.close() }
    },
    filled,
    tmux,
    sees,
    async act(steps) {
      for (const wanted of steps) await step(wanted)
    },
    async close() {
      withdraw()
      const all = descendants(Number(pid))
      await tmux('kill-server').catch(() => undefined)
      endAll([...all, Number(pid)])
    },
  }
  const atPrompt = new RegExp(`${prompt.source.replace(/^\^/, '(?:^|\\n)').replace(/\$$/, '')}\\n*$`)
  if (!(await sees([{ shows: atPrompt }]))) {
    const text = await screen().catch(String)
    await pane.close()
    throw new Error(`${shell} does not show its prompt ${prompt}:\n${text}`)
  }
  return pane
}

const printed = (_: string, value: unknown): unknown => (value instanceof RegExp ? String(value) : value)
