/** Captures of real panes: of one moment, or of two in one question. */
import { describe, expect, test } from 'vitest'
import { capturePane } from '../../src/os/tmux/capture.ts'
import { hasProgram, tmuxServer } from '../support/tmux-server.ts'
import { until } from '../support/until.ts'

describe.runIf(hasProgram('tmux'))('a pane that is captured twice in one question', () => {
  const server = tmuxServer()
  const twice = { isTwice: true }
  const captured = async (id: string, how: object) => {
    const now = await capturePane(server.socket, id, 50, how)
    if (!now) throw new Error('there is no such pane')
    return now
  }

  test('is told as the second shows it, and whether the first was alike', async () => {
    const id = server.start('sh', '-c', 'echo one; echo two; exec sleep 100')
    await until(
      () => server.screen(id),
      screen => screen.startsWith('one\ntwo\n'),
      'its lines',
    )
    const once = await captured(id, {})
    expect(once).toMatchObject({ isRepeated: false, lines: ['one', 'two'] })
    expect(await captured(id, twice)).toEqual({ ...once, isRepeated: true })
    expect(await capturePane(server.socket, '%99', 50, twice)).toBeUndefined()
  })

  test('is not alike while it is printed to', async () => {
    const id = server.start('sh', '-c', 'n=0; while :; do n=$((n+1)); echo $n; done')
    const numbers = () => captured(id, twice)
    await until(numbers, ({ lines, isRepeated }) => !isRepeated && lines.length > 10, 'numbers that change')
  })
})
