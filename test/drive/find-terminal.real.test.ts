/** Which terminal a name means that a terminal of lull's own had. */
import { describe, expect, test } from 'vitest'
import { ownTerminals } from '../support/own-terminals.ts'
import { hasProgram, tmuxServer } from '../support/tmux-server.ts'

const shell = ['bash', '--norc', '--noprofile'] as const

describe.runIf(hasProgram('tmux'))('the name of a terminal that was closed', () => {
  const server = tmuxServer()

  test('is that of the pane that a person gave it since, and not of one that had it before', async () => {
    const own = ownTerminals()
    const pane = server.tmux('new-window', '-d', '-P', '-F', '#{pane_id}', ...shell).trim()
    const name = () => own.lull('name', `tmux:${pane}`, 'api', '--socket', server.socket)
    expect((await name()).code).toBe(0)
    expect((await own.lull('open', 'api', '--', ...shell)).code).toBe(0)
    expect((await own.lull('close', 'api')).code).toBe(0)
    expect(await own.lull('send', 'api', 'echo early')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('the terminal api was closed '),
    })
    expect((await name()).code).toBe(0)
    expect(await own.lull('send', 'api', 'echo $((40 + 2))', '--wait')).toMatchObject({ code: 0 })
    expect(server.screen(pane)).toMatch(/^42$/m)
    expect((await own.lull('read', 'api')).stdout).toMatch(/^42$/m)
    expect(server.screen(pane)).not.toContain('early')
  })
})
