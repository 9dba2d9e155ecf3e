/** The dialog of an agent that has ended stands on the screen above what reads there now: nobody asks it any more. */
import { execFileSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { openTerminal, type Terminal } from '../../src/drive/open-terminal.ts'
import { asks } from '../support/agent-screens.ts'
import { temporaryFolder } from '../support/lull.ts'
import { hasProgram, tmuxServer } from '../support/tmux-server.ts'
import { until } from '../support/until.ts'

const folder = temporaryFolder()
const drawn = path.join(folder, 'drawn')
writeFileSync(drawn, `${asks.join('\n')}\n`)

describe.runIf(hasProgram('tmux'))('a dialog that stands on a screen', () => {
  const server = tmuxServer()

  async function shownIn(...command: readonly string[]) {
    const pane = server.tmux('new-window', '-d', '-P', '-F', '#{pane_id}', ...command).trim()
    await until(
      () => server.screen(pane),
      screen => screen.includes('2. No'),
    )
    return pane
  }

  /** What has drawn the dialog may not have given way yet to what reads below it. */
  const reads = (terminal: Terminal) =>
    until(
      async () => (await terminal.settle()).verdict.state.kind,
      kind => kind === 'waiting' || kind === 'idle',
      'who reads',
    )

  test('above a shell’s prompt is answered by nobody: what is half typed there stays', async () => {
    const pane = await shownIn('sh', '-c', `cat ${drawn}; PS1='# ' exec bash --norc --noprofile`)
    server.tmux('send-keys', '-t', pane, `touch ${folder}/run`)
    await until(
      () => server.screen(pane),
      screen => screen.includes('# touch'),
    )
    await using terminal = await openTerminal(`tmux:${pane}`, { socket: server.socket })
    await until(
      () => terminal.settle(),
      ({ verdict }) => verdict.state.kind === 'idle',
    )
    expect(await terminal.dialog()).toBeUndefined()
    await expect(terminal.answer('yes')).rejects.toThrow('nothing was pressed')
    expect(server.screen(pane)).toContain('# touch')
  })

  test.runIf(hasProgram('less')).each([
    ['a pager', `less ${drawn}`],
    ['what takes lines', `cat ${drawn}; cat`],
  ])('of %s is none', async (_, command) => {
    const pane = await shownIn('sh', '-c', command)
    await using terminal = await openTerminal(`tmux:${pane}`, { socket: server.socket })
    await until(
      () => terminal.settle(),
      ({ verdict }) => verdict.state.kind === 'waiting',
    )
    expect(await terminal.dialog()).toBeUndefined()
  })

  test.each([
    ['a shell that reads a key for its script', `bash -c 'cat ${drawn}; read -sn1 key'`],
    ['a shell that asks for one', `bash -c 'cat ${drawn}; read -n1 -p "Delete everything? [Y/n] " key'`],
    [
      'what reads a key and has asked for it in a line',
      `stty raw -echo opost; cat ${drawn}; echo 'Erase all [y/N]'; exec dd bs=1 count=1 of=/dev/null`,
    ],
    [
      'what reads a key, its cursor hidden',
      `stty raw -echo opost; cat ${drawn}; printf 'Erasing in 10 s, any key erases now\\033[?25l'; exec dd bs=1 count=1 of=/dev/null`,
    ],
    [
      'what reads a key and asks for it',
      `stty raw -echo opost; cat ${drawn}; printf 'Erase the disk? '; exec dd bs=1 count=1 of=/dev/null`,
    ],
  ])('above %s is answered by nobody', async (_, command) => {
    const pane = await shownIn('sh', '-c', command)
    await using terminal = await openTerminal(`tmux:${pane}`, { socket: server.socket })
    await reads(terminal)
    await expect(terminal.answer('yes')).rejects.toThrow('nothing was pressed')
  })

  test('in a pane of a tmux within is not answered into the pane beside it', async () => {
    const inner = path.join(folder, 'inner')
    const asksThere = `stty raw -echo opost; cat ${drawn}; exec dd bs=1 count=1 of=${folder}/taken`
    const reads = `PS1='# ' exec bash --norc --noprofile`
    const tmux = `tmux -S ${inner} -f /dev/null`
    const pane = await shownIn(
      'sh',
      '-c',
      `TMUX= exec ${tmux} new-session "${asksThere}" \\; split-window "${reads}"`,
    )
    onTestFinished(() => void execFileSync('tmux', ['-S', inner, 'kill-server']))
    await using terminal = await openTerminal(`tmux:${pane}`, { socket: server.socket })
    await until(
      () => terminal.settle(),
      ({ verdict }) => verdict.state.kind === 'idle',
    )
    await expect(terminal.answer('yes')).rejects.toThrow('nothing was pressed')
    execFileSync('tmux', ['-S', inner, 'select-pane', '-U'])
    await until(
      () => terminal.dialog(),
      dialog => dialog !== undefined,
    )
  })

  test('of a program that reads keys is one, though lull knows no such agent', async () => {
    const pane = await shownIn(
      'sh',
      '-c',
      `stty raw -echo opost; cat ${drawn}; exec dd bs=1 count=1 of=/dev/null`,
    )
    await using terminal = await openTerminal(`tmux:${pane}`, { socket: server.socket })
    await reads(terminal)
    expect(await terminal.dialog()).toMatchObject({ options: [{ label: 'Yes' }, { label: 'No' }] })
  })
})
