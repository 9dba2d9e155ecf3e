/** What a pane prints, heard without a client that attaches: every byte, by one listener a pane, and never taken from another. */
import { describe, expect, test } from 'vitest'
import { joinPanePipe } from '../../src/os/tmux/pane-pipe.ts'
import { temporaryFile } from '../support/lull.ts'
import { bash, hasProgram, tmuxServer } from '../support/tmux-server.ts'
import { until } from '../support/until.ts'

describe.runIf(hasProgram('tmux') && process.platform === 'linux')('the pipe at a pane', () => {
  const server = tmuxServer()
  const isPiped = (pane: string) => server.tmux('display-message', '-p', '-t', pane, '#{pane_pipe}').trim()

  function hear(pane: string) {
    const chunks: Buffer[] = []
    let losses = 0
    const pipe = joinPanePipe(server.socket, pane, {
      onBytes: bytes => chunks.push(bytes),
      onLost: () => losses++,
    })
    return { pipe, all: () => Buffer.concat(chunks), losses: () => losses }
  }

  test('hears every byte, and nothing of other panes', async () => {
    const content = Buffer.from(
      Array.from({ length: 5000 }, (_, n) => `${n} \u001b[3${n % 8}mflood\u001b[0m é \\ %end\n`).join(''),
    )
    const file = temporaryFile('flood', content)
    const show = (name: string) =>
      server.start('bash', '-c', `stty -opost -echo; read -r _; cat ${file}; sleep 100 # ${name}`)
    const [wanted, other] = [show('wanted'), show('other')]
    const { pipe, all } = hear(wanted)
    expect(await pipe.opened).toBe(true)
    for (const pane of [wanted, other]) server.tmux('send-keys', '-t', pane, 'Enter')
    // An Enter that came before the terminal was set is echoed.
    await until(all, heard => heard.subarray(-content.length).equals(content), 'all of it')
    await pipe.close()
    expect(isPiped(wanted)).toBe('0')
  })

  test('is one for all of this process', async () => {
    const pane = server.start(...bash)
    const [first, second] = [hear(pane), hear(pane)]
    await Promise.all([first.pipe.opened, second.pipe.opened])
    server.tmux('send-keys', '-t', pane, 'x')
    await until(
      () => [first.all().includes('x'), second.all().includes('x')],
      ([one, other]) => one === true && other === true,
    )
    await first.pipe.close()
    expect(isPiped(pane)).toBe('1')
    await second.pipe.close()
    expect(isPiped(pane)).toBe('0')
  })

  test('tells once all that stands on the screen has been heard, and loses nothing of what comes', async () => {
    const pane = server.start('cat')
    const { pipe, all } = hear(pane)
    await pipe.opened
    for (let round = 0; round < 10; round++) {
      server.tmux('send-keys', '-t', pane, `round ${round}`, 'Enter')
      await until(
        () => server.screen(pane),
        shown => shown.includes(`round ${round}`),
      )
      expect(await pipe.flush()).toBe(true)
      expect(`${all()}`).toContain(`round ${round}`)
    }
    await pipe.close()
    expect(isPiped(pane)).toBe('0')
  })

  test('takes nothing from somebody who hears the pane already', async () => {
    const pane = server.start(...bash)
    server.tmux('pipe-pane', '-t', pane, 'cat >/dev/null')
    const { pipe, losses } = hear(pane)
    expect(await pipe.opened).toBe(false)
    expect(losses()).toBe(1)
    await pipe.close()
    expect(isPiped(pane)).toBe('1')
  })

  test('gives way to somebody who wants to hear it, and leaves that one alone', async () => {
    const pane = server.start(...bash)
    const { pipe, losses } = hear(pane)
    await pipe.opened
    server.tmux('send-keys', '-t', pane, 'x')
    server.tmux('pipe-pane', '-t', pane, 'cat >/dev/null')
    await until(losses, count => count === 1, 'the loss')
    await pipe.close()
    expect(isPiped(pane)).toBe('1')
  })
})
