/**
 * Situations of a morning, chosen by a writer who had read none of lull's detection rules. A disagreement in one of them
 * is a finding, and no reason to change the situation.
 */
import { execFile } from 'node:child_process'
import { readFileSync, rmSync } from 'node:fs'
import path from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { promisify } from 'node:util'
import type { LabCli } from '../../scripts/setup-lab.ts'
import { endsTurn, isMainRequest, type ModelEvent, now } from '../lab/truth.ts'
import type { Actor } from './actor.ts'
import { signal } from './below.ts'
import type { Situation } from './situations.ts'

type Entry = { readonly situation: Situation; readonly clis?: readonly LabCli[] }

const everyone = (name: string, play: Situation['play']): Entry => ({ situation: { name, play } })

const some = (clis: readonly LabCli[], name: string, play: Situation['play']): Entry => ({
  situation: { name, play },
  clis,
})

/** Pi, Grok and Cline ask for no permission here. */
const asking: readonly LabCli[] = [
  'claude',
  'codex',
  'opencode',
  'gemini',
  'kimi',
  'droid',
  'qwen',
  'copilot',
]

/** A second press reaches an agent at rest: Copilot may open a list of earlier states, and Grok may quit. */
const calm: readonly LabCli[] = [...asking.filter(cli => cli !== 'copilot'), 'pi', 'cline']

const hasBackground: readonly LabCli[] = ['claude', 'codex', 'copilot', 'qwen']

const run = promisify(execFile)

const tmux = async (a: Actor, ...words: readonly string[]): Promise<string> =>
  (await run('tmux', ['-u', '-S', a.opened().terminal.socket, ...words])).stdout.trimEnd()

const paneOf = (a: Actor): string => a.opened().terminal.pane

async function andRest<T>(act: Promise<T>, seconds: number): Promise<T> {
  const result = await act
  await pause(1000 * seconds)
  return result
}

async function asks(a: Actor, command: string, seconds: number): Promise<void> {
  await a.begin(`[[touch:${command}]] please`)
  await andRest(a.dialog(), seconds)
}

/** A resized screen may keep a copy of the dialog. The model is asked again once the dialog was answered. */
async function grantOnResized(a: Actor): Promise<void> {
  for (let tries = 0; tries < 5; tries++) {
    const at = now()
    await a.opened().press('approve')
    const request = await a.next(isMainRequest, 3000, at).catch(() => undefined)
    if (request) return a.mark({ type: 'granted', at })
  }
  throw new Error(`the dialog was not answered:\n${await a.opened().terminal.screen()}`)
}

/**
 * Pastes a prompt, waits, and plays its turn. A composer may show only the length of a paste, so the screen cannot show that
 * the text has arrived. A CLI may change the line breaks of a paste, so the directive is read from the request.
 */
async function pastedTurn(a: Actor, lines: readonly string[], seconds: number): Promise<void> {
  await tmux(a, 'set-buffer', '-b', 'prompt', '--', a.typed(lines.join('\n')))
  await andRest(tmux(a, 'paste-buffer', '-d', '-p', '-b', 'prompt', '-t', paneOf(a)), seconds)
  const at = now()
  await a.opened().press('submit')
  const { name, argument } = (await a.next(isMainRequest, 30_000, at)).request.directive ?? {}
  a.mark({ type: 'prompted', at, directive: `[[${name}${argument === undefined ? '' : `:${argument}`}]]` })
  await a.next(endsTurn, 30_000, at)
}

const isAbort = ({ type, request }: ModelEvent): boolean => type === 'abort' && request.kind === 'main'

/** Whether the request goes on after a key. Only the model knows, so an interrupt is marked when the model sees it. */
async function goesOn(a: Actor, since: number): Promise<boolean> {
  const abort = await a.next(isAbort, 2500, since).catch(() => undefined)
  if (abort) a.mark({ type: 'interrupted', at: abort.at })
  return abort === undefined
}

/**
 * Opens a menu by its character and leaves it by Escape. Some CLIs keep the character then.
 * @returns the instant before Escape was pressed
 */
async function lookAt(a: Actor, character: string, seconds: number): Promise<number> {
  await andRest(a.draft(character), seconds)
  const at = now()
  await a.opened().terminal.press('Escape')
  // A key that follows Escape at once is read as that key with Alt.
  await a.rest(1)
  await a.opened().terminal.press('BSpace')
  return at
}

/**
 * Attaches a tmux client. It needs a terminal, which `script` makes: 24 rows of 80 columns, as on a laptop.
 * @returns the client's name; a program that watches the session may have a client of its own
 */
async function attach(a: Actor): Promise<string> {
  const command = `tmux -u -S ${a.opened().terminal.socket} attach-session -t ${paneOf(a)}`
  const env = { PATH: process.env.PATH, TERM: 'xterm-256color', LANG: 'C.UTF-8' }
  // The client runs until it is detached. The next check fails where it did not start.
  run('script', ['-qec', command, '/dev/null'], { env, maxBuffer: Number.POSITIVE_INFINITY }).catch(() => {})
  await a.rest(1)
  const format = '#{client_control_mode} #{client_name}'
  const name = (await tmux(a, 'list-clients', '-t', paneOf(a), '-F', format)).match(/^0 (.+)$/m)?.[1]
  if (!name) throw new Error('the client did not attach')
  return name
}

const commandLine = (pid: number): string => {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'latin1').replaceAll('\0', ' ').trim()
  } catch {
    return '' // The process has ended.
  }
}

const log = ['The build prints this:', '  src/parse.c:41: warning: unused variable', '$ echo $?', '1']

const quotedDialog = [
  '[[say:The other agent shows this:\n\n Bash command\n   rm -r build\n',
  ' Do you want to proceed?',
  ' ❯ 1. Yes',
  '   2. No, and tell it what to do instead (esc)]] please',
]

/** Each ends with the agent at rest and an empty composer. Without `clis`, all CLIs of the lab play it. */
export const unseen: readonly Entry[] = [
  everyone('a prompt of several lines is pasted, read again, and sent', async a => {
    await andRest(pastedTurn(a, [...log, '[[long:8]] what is wrong?'], 5), 5)
  }),
  everyone('a draft is typed in a turn, stands after it, and is erased key by key', async a => {
    const text = 'and then run the tests again'
    await andRest(a.begin('[[long:8]] please'), 2)
    await a.draft(text)
    await andRest(a.ends(45), 6)
    for (const _ of text) {
      await andRest(a.opened().terminal.press('BSpace'), 0.03)
    }
    await a.rest(4)
  }),
  everyone('the menu of commands is opened and left by Escape, idle and in a turn', async a => {
    await andRest(lookAt(a, '/', 5), 3)
    await andRest(a.begin('[[long:14]] please'), 2)
    const at = await lookAt(a, '/', 3)
    if (await goesOn(a, at)) await a.ends()
    // An agent that was interrupted may put its prompt back into the composer.
    await andRest(a.clearDraft(), 5)
  }),
  everyone('the help is opened by ? and closed', async a => {
    await andRest(lookAt(a, '?', 7), 4)
  }),
  everyone('the window is made very small in a turn, and large again after it', async a => {
    await andRest(a.begin('[[long:12]] please'), 2)
    await a.resize(44, 12)
    await andRest(a.ends(45), 5)
    await andRest(a.resize(120, 40), 4)
  }),
  some(asking, 'the window is made very small while a permission is asked for', async a => {
    await asks(a, 'small.txt', 3)
    await andRest(a.resize(44, 12), 9)
    await andRest(a.resize(120, 40), 3)
    await grantOnResized(a)
    await andRest(a.ends(45), 4)
  }),
  everyone('the pane is scrolled back in a turn and after its end', async a => {
    await andRest(a.begin('[[long:12]] please'), 3)
    await tmux(a, 'copy-mode', '-u', '-t', paneOf(a))
    await andRest(a.ends(45), 6)
    await andRest(tmux(a, 'send-keys', '-t', paneOf(a), '-X', 'cancel'), 4)
  }),
  everyone('the pane is halved, zoomed, moved to another window, and moved back', async a => {
    const pane = paneOf(a)
    await andRest(a.begin('[[long:16]] please'), 1)
    const split = ['split-window', '-d', '-h', '-t', pane, '-P', '-F', '#{pane_id}', '--', 'sleep', '300']
    const other = await tmux(a, ...split)
    await a.rest(3)
    await andRest(tmux(a, 'resize-pane', '-Z', '-t', pane), 3)
    await tmux(a, 'break-pane', '-d', '-s', pane)
    await andRest(a.ends(45), 4)
    await andRest(tmux(a, 'join-pane', '-d', '-h', '-s', pane, '-t', other), 4)
    await andRest(tmux(a, 'kill-pane', '-t', other), 3)
  }),
  everyone('the session is detached while the model says nothing for 28 s, and attached again', async a => {
    const first = await attach(a)
    await andRest(a.begin('[[think:28]] please'), 4)
    await tmux(a, 'detach-client', '-t', first)
    await andRest(a.ends(45), 4)
    const second = await andRest(attach(a), 4)
    await tmux(a, 'detach-client', '-t', second)
    // The window keeps the size of the last client.
    await andRest(a.resize(120, 40), 4)
  }),
  some(asking, 'stopped by a signal while a permission is asked for, continued, then granted', async a => {
    await asks(a, 'stopped.txt', 4)
    a.stop()
    await a.rest(8)
    a.continue()
    await a.rest(5)
    await a.grant()
    await andRest(a.ends(45), 4)
  }),
  everyone('two more prompts are sent while the first is being answered', async a => {
    await andRest(a.begin('[[long:9]] first'), 2)
    await andRest(a.queue('[[bash:4]] second'), 1)
    await a.queue('[[long:5]] third')
    await andRest(a.ends(45), 8)
  }),
  everyone('interrupted right after Enter', async a => {
    const at = await a.opened().submit(a.typed('[[think:48]] please'))
    a.mark({ type: 'prompted', at, directive: '[[think:48]]' })
    await a.rest(0.2)
    await a.opened().press('interrupt')
    const pressed = now()
    // The agent may have stopped before its request, may drop the request, or may have missed the key.
    const request = await a.next(isMainRequest, 4000, at).catch(() => undefined)
    if (!request) a.mark({ type: 'interrupted', at: pressed })
    else if (await goesOn(a, at)) await a.interrupt()
    await a.rest(6)
    await andRest(a.clearDraft(), 3)
  }),
  some(calm, 'interrupted while it writes, by two presses', async a => {
    await andRest(a.begin('[[long:68]] please'), 5)
    await andRest(a.interrupt(), 0.4)
    await andRest(a.interrupt(), 8)
    await andRest(a.clearDraft(), 2)
  }),
  everyone('a turn fails, and the next one succeeds', async a => {
    await andRest(a.begin('[[error:400]] please'), 10)
    await andRest(a.turn('[[long:5]] once more'), 5)
  }),
  some(asking, 'a permission stands for 40 s, its pointer moves, its command prints much', async a => {
    await asks(a, 'much.txt && seq 1 3000 && sleep 4', 20)
    await andRest(a.opened().terminal.press('Down'), 3)
    await andRest(a.opened().terminal.press('Up'), 17)
    await a.grant()
    await andRest(a.ends(45), 4)
  }),
  some(asking, 'one asks for a permission while another is started in its folder', async (a, b) => {
    await b.quit()
    await asks(a, 'meanwhile.txt', 2)
    await b.start()
    await andRest(b.turn('[[long:5]] please'), 3)
    await a.grant()
    await andRest(a.ends(45), 4)
  }),
  everyone('a command that hangs is killed from another shell', async a => {
    await andRest(a.begin('[[bash:97]] please'), 8)
    const hung = a.role.place.processes().filter(pid => commandLine(pid) === 'sleep 97')
    if (hung.length === 0) throw new Error('its command was not found')
    for (const pid of hung) signal(pid, 'SIGTERM')
    await andRest(a.ends(45), 5)
  }),
  everyone('pane, window, session and git branch get new names', async a => {
    const { work } = a.role.place
    const git = (...words: readonly string[]) => run('git', ['-C', work, ...words])
    try {
      await andRest(a.begin('[[long:12]] please'), 1)
      await git('init', '-q', '-b', 'main')
      await tmux(a, 'select-pane', '-t', paneOf(a), '-T', 'the parser')
      await andRest(tmux(a, 'rename-window', '-t', paneOf(a), 'review'), 4)
      await tmux(a, 'rename-session', '-t', paneOf(a), 'morning')
      await git('switch', '-q', '-c', 'parser')
      await andRest(a.ends(45), 4)
      await git('switch', '-q', '-c', 'parser-2')
      await andRest(tmux(a, 'select-pane', '-t', paneOf(a), '-T', 'done with the parser'), 6)
    } finally {
      // An agent that is started later would take the folder for another project.
      rmSync(path.join(work, '.git'), { recursive: true, force: true })
    }
  }),
  some(hasBackground, 'a second turn while the command of the first runs in the background', async a => {
    await andRest(a.turn('[[background:18]] please'), 3)
    await andRest(a.turn('[[bash:5]] meanwhile'), 18)
  }),
  // The last: for as long as this answer shows, the lab itself takes it for a dialog.
  everyone('answers that end like a spinner, and like a dialog', async a => {
    await andRest(a.turn('[[say:✻ Pondering… (12s · ↓ 340 tokens · esc to interrupt)]] please'), 8)
    await andRest(pastedTurn(a, quotedDialog, 2), 8)
  }),
]
