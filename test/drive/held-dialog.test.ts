/** A dialog that its agent reports through a held hook: what is shown of it, and which way an answer takes. */
import { mkdirSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { heldDialog, joinedDialog } from '../../src/drive/dialog/held-dialog.ts'
import { readDialog } from '../../src/drive/dialog/shown-dialog.ts'
import { answeredIn, noteAnswered } from '../../src/drive/dialog/standing-dialogs.ts'
import { dialogsOf } from '../../src/drive/dialog/terminal-dialogs.ts'
import type { AskedRequest, RequestPort } from '../../src/sessions/session-source.ts'
import { classify } from '../../src/terminal/classify/classify.ts'
import type { DrivenTerminal } from '../../src/terminal/observer.ts'
import type { Observation } from '../../src/terminal/observer-step.ts'
import { newPlaces } from '../support/history.ts'
import { withVerdict } from '../support/live.ts'
import { probeOf, process } from '../support/probes.ts'

const asked = (command: string): AskedRequest => ({
  id: 'r1',
  for: 'permission',
  tool: 'Bash',
  input: { command },
  about: command,
  rows: ['Bash', ...command.split('\n').map(line => `  ${line}`)],
  options: [
    { label: 'Yes', word: 'yes' },
    { label: 'No', word: 'no' },
  ],
})

const edge = '─'.repeat(40)
const labels = ['Yes', 'Yes, and don’t ask again for: rm:*', 'No']
const drawn = (command: string, options = labels): readonly string[] => [
  edge,
  ' Bash command',
  ...command.split('\n').map(line => `   ${line}`),
  ' Do you want to proceed?',
  ...options.map((label, n) => ` ${n === 0 ? '❯' : ' '} ${n + 1}. ${label}`),
  ' Esc to cancel',
]
const screenOf = (command: string, options = labels) => readDialog(drawn(command, options), 'claude')

describe('what is shown', () => {
  test('is the report, with the options of the screen where that shows the same', async () => {
    const joined = joinedDialog(asked('rm -rf build'), await screenOf('rm -rf build'))
    expect(joined?.dialog).toMatchObject({
      rows: ['Bash', '  rm -rf build', '', ...labels.map((l, n) => `${n + 1}. ${l}`)],
    })
    expect(joined?.dialog.options.map(({ label }) => label)).toEqual(labels)
    expect(joined?.places).toEqual([0, 2])
  })

  test('is the report alone where the screen shows another one, also one that begins alike', async () => {
    const long = `rm -rf ${'build/'.repeat(30)}`
    for (const shown of [
      undefined,
      await screenOf('ls'),
      await screenOf(`${long}a`),
      await screenOf(long.slice(0, 100)),
    ])
      expect(joinedDialog(asked(`${long}b`), shown)).toBeUndefined()
  })

  test('is the report alone where the screen has no clear yes and no', async () => {
    expect(joinedDialog(asked('ls'), await screenOf('ls', ['Allow', 'Approve', 'No']))).toBeUndefined()
    expect(joinedDialog(asked('ls'), await screenOf('ls', ['Yes', 'Maybe']))).toBeUndefined()
  })

  test('of another request, and with another list of options, it is another dialog', async () => {
    const ids = [
      heldDialog(asked('ls')).id,
      heldDialog({ ...asked('ls'), id: 'r2' }).id,
      joinedDialog(asked('ls'), await screenOf('ls'))?.dialog.id,
      joinedDialog(asked('ls'), await screenOf('ls', ['Yes', 'No']))?.dialog.id,
      (await screenOf('ls'))?.id,
    ]
    expect(new Set(ids).size).toBe(ids.length)
  })
})

/** A pane that shows these at its looks, the last of them from then on. */
function paneOf(...looks: readonly (readonly string[])[]): Around['screen'] {
  const left = [...looks]
  const probe = probeOf([process('claude', 'epoll_wait+3')], { mode: 'ce' })
  async function observe(): Promise<Observation> {
    const rows = (left.length > 1 ? left.shift() : left[0]) ?? []
    const screen = { rows, columns: 80, cursor: { row: 0, column: 0 } }
    return { probe, verdict: classify(probe), isSteady: true, isWhole: true, lines: [], screen }
  }
  const judge = async (observation: Observation) => ({ observation, agent: waiting, isStranger: false })
  return { pane: { observe, holder: { socket: '/s', id: '%1' } } as DrivenTerminal, judge, meant: waiting }
}

type Around = Parameters<typeof dialogsOf>[0]
const waiting = withVerdict({ state: { kind: 'waiting', for: 'permission' }, since: -60_000 })

/** An agent, without a terminal that lull reads where no screen is given. */
function agent(
  request: AskedRequest | undefined,
  is: Awaited<ReturnType<RequestPort['reply']>> = 'confirmed',
  screen?: Around['screen'],
) {
  const replies: (readonly [string, number])[] = []
  const requests: RequestPort = {
    asked: async () => request,
    async reply(_session, id, option) {
      replies.push([id, option])
      return is
    },
  }
  return { replies, ...dialogsOf({ agent: async () => waiting, requests, ...(screen ? { screen } : {}) }) }
}

describe('an answer', () => {
  test.each([
    ['yes', 0, 'Yes'],
    ['no', 1, 'No'],
    ['No', 1, 'No'],
  ])('%s goes through the hook', async (word, place, label) => {
    const { answer, replies } = agent(asked('ls'))
    expect(await answer([word], {})).toMatchObject({ chosen: [label], isGone: true })
    expect(replies).toEqual([['r1', place]])
  })

  test('by a number is refused where the screen may number its options otherwise', async () => {
    const { answer, replies } = agent(asked('ls'))
    await expect(answer(['2'], {})).rejects.toMatchObject({ code: 'NO_OPTION' })
    await expect(answer(['always'], {})).rejects.toMatchObject({ code: 'NO_OPTION' })
    expect(replies).toEqual([])
  })

  test('of another dialog is refused', async () => {
    const { answer, replies } = agent(asked('ls'))
    await expect(answer(['yes'], { dialog: 'other' })).rejects.toMatchObject({ code: 'REFUSED_TO_TYPE' })
    expect(replies).toEqual([])
  })

  test('that came too late, or was not acted on, says so', async () => {
    const late = agent(asked('ls'), 'gone')
    await expect(late.answer(['yes'], {})).rejects.toMatchObject({ code: 'REFUSED_TO_TYPE' })
    const unsure = agent(asked('ls'), 'unconfirmed')
    expect(await unsure.answer(['yes'], {})).toMatchObject({ isGone: false })
  })

  test('to a question takes its number or its text', async () => {
    const question: AskedRequest = {
      ...asked('Which?'),
      for: 'question',
      // A model may call its options so that they look like numbers.
      options: ['2', '1', 'yes'].map((label, place) => ({ label, number: place + 1 })),
    }
    const { answer, replies } = agent(question)
    await answer(['1'], {})
    await answer(['yes'], {})
    expect(replies).toEqual([
      ['r1', 0],
      ['r1', 2],
    ])
  })

  const atWork = ['● Bash(ls)', '  ⎿  Running…', '', '✻ Working… (3s)', '', edge, '❯ ', edge]

  test('is not given where its dialog has left the screen at the last look', async () => {
    const { answer, replies } = agent(asked('ls'), 'confirmed', paneOf(drawn('ls'), atWork))
    await expect(answer(['no'], {})).rejects.toMatchObject({ code: 'REFUSED_TO_TYPE' })
    expect(replies).toEqual([])
  })

  test.each([
    ['shows its dialog', paneOf(drawn('ls'))],
    ['is one that lull can’t read', paneOf(['something else'])],
    ['shows its work, though not its dialog', paneOf(atWork)],
  ])('is given where the screen %s', async (_what, screen) => {
    const { answer, replies } = agent(asked('ls'), 'confirmed', screen)
    await answer(['no'], {})
    expect(replies).toEqual([['r1', 1]])
  })

  test('called off is not given', async () => {
    const { answer, replies } = agent(asked('ls'))
    await expect(answer(['yes'], { signal: AbortSignal.abort() })).rejects.toMatchObject({
      code: 'REFUSED_TO_TYPE',
    })
    expect(replies).toEqual([])
  })

  test('to a dialog that a key has answered and that still stands is refused: the next one would get it', async () => {
    const { runtime } = newPlaces().places
    vi.stubEnv('LULL_RUNTIME_DIR', runtime)
    mkdirSync(path.join(runtime, 'panes'), { recursive: true, mode: 0o700 })
    onTestFinished(() => void vi.unstubAllEnvs())
    const screen = paneOf(drawn('ls'))
    const { answer, dialog } = agent(undefined, 'confirmed', screen)
    const { id = '' } = (await dialog()) ?? {}
    await noteAnswered('/s', '%1', id, Date.now())
    await expect(answer(['yes'], { dialog: id })).rejects.toThrow('it was answered already and still stands')
    expect(answeredIn('/s', '%1', Date.now() + 6 * 60_000)).toBeUndefined()
    await noteAnswered('/s', '%1', undefined, Date.now())
    expect(answeredIn('/s', '%1', Date.now())).toBeUndefined()
  })

  test('needs a screen that can be reached where no hook takes it', async () => {
    const { answer, dialog } = agent(undefined)
    expect(await dialog()).toBeUndefined()
    await expect(answer(['yes'], {})).rejects.toMatchObject({ code: 'REFUSED_TO_TYPE' })
  })
})
