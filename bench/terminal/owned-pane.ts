/** A real terminal of lull's own: type, press, read, and see signs, asked of its server. */
import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { toolPath } from '../../scripts/setup-bench.ts'
import { placesOf } from '../../src/os/file/places.ts'
import { readText } from '../../src/os/proc/proc-file.ts'
import { readStat } from '../../src/os/proc/stat.ts'
import { startServer } from '../../src/owned/start-server.ts'
import { terminalRequests } from '../../src/owned/terminal-requests.ts'
import { descendants, endAll } from './processes.ts'
import type { Sign, Step } from './scenario.ts'
import { shellOf, type shells } from './shells.ts'
import type { Pane, Stage } from './subject.ts'

const glanceMs = 15
const patienceMs = 30_000
let opened = 0

/** Opens a terminal with a shell, and waits for its prompt. Its places are those of LULL_RUNTIME_DIR. */
export async function openOwnedPane(
  stage: Stage,
  shell: keyof typeof shells,
  size = '110x30',
): Promise<Pane> {
  const folder = stage.folder()
  const own = stage.ownFolder()
  const { tool, args = [], dots, prompt } = shellOf(shell)
  const places = placesOf()
  await startServer(places)
  const server = terminalRequests(places.terminals)
  const name = `bench-${process.pid}-${opened++}`
  const [columns = 0, rows = 0] = size.split('x').map(Number)
  const { pid } = await server.open({
    name,
    words: [toolPath(tool) ?? tool, ...args],
    cwd: folder,
    env: {
      ...stage.env,
      TERM: 'xterm-256color',
      ...(dots !== undefined && { ZDOTDIR: path.join(stage.home, dots) }),
    },
    columns,
    rows,
  })
  const screen = async () => (await server.lines(name, 'screen', false)).join('\n')
  const filled = (text: string) => stage.filled(text, folder).replaceAll('{own}', own)
  const type = (text: string, isPaste = false) => server.type(name, pid, Buffer.from(text), { isPaste })

  async function isSeen(sign: Sign): Promise<boolean> {
    if ('file' in sign) {
      const file = path.join(folder, sign.file)
      if (!existsSync(file)) return false
      return sign.holds === undefined || readFileSync(file, 'utf8').trim() === sign.holds
    }
    if ('gone' in sign) return !existsSync(path.join(folder, sign.gone))
    if ('closed' in sign) return (await server.describe(name)).end !== undefined
    // As tmux tells it: the name of who leads the foreground.
    if ('runs' in sign) return readText(`/proc/${readStat(pid)?.foreground}/comm`).trim() === sign.runs
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
    if (typeof wanted === 'string') await type(`${filled(wanted)}\r`)
    else if ('keys' in wanted) for (const key of wanted.keys) await server.press(name, pid, key, [])
    else if ('text' in wanted) await type(filled(wanted.text))
    else if ('paste' in wanted) await type(readFileSync(filled(wanted.paste), 'utf8'), true)
    else if ('kills' in wanted) endAll(descendants(pid, wanted.kills))
    else if ('tmux' in wanted) throw new Error('it is about tmux')
    else if (!(await sees([wanted])))
      throw new Error(`${JSON.stringify(wanted, printed)} was not seen on\n${await screen()}`)
  }
  const pane: Pane = {
    socket: places.terminals,
    id: name,
    pid,
    folder,
    own,
    screen,
    filled,
    sees,
    lastLines: async most => (await server.lines(name, most, false)).join('\n'),
    reader: async () => ({ read: screen, close: () => undefined }),
    tmux: () => Promise.reject(new Error('it is about tmux')),
    async act(steps) {
      for (const wanted of steps) await step(wanted)
    },
    async close() {
      const all = descendants(pid)
      await server.close(name, true).catch(() => undefined)
      endAll(all)
    },
  }
  const atPrompt = new RegExp(`${prompt.source.replace(/^\^/, '(?:^|\\n)').replace(/\$$/, '')}\\s*$`)
  if (!(await sees([{ shows: atPrompt }]))) {
    const text = await screen()
    await pane.close()
    throw new Error(`${shell} does not show its prompt ${prompt}:\n${text}`)
  }
  return pane
}

const printed = (_: string, value: unknown): unknown => (value instanceof RegExp ? String(value) : value)
