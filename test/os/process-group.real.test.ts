/** Real programs in groups of their own: what they print, how they end, and what ends with them. */
import { describe, expect, onTestFinished, test } from 'vitest'
import { readStat } from '../../src/os/proc/stat.ts'
import { captureGroup, type GroupEnd } from '../../src/os/spawn/captured-group.ts'
import { isGroupAlive, signalGroup } from '../../src/os/spawn/process-group.ts'
import { until } from '../support/until.ts'

function capture(words: readonly string[], stdin?: string) {
  let [out, errors] = ['', '']
  let ended: GroupEnd | undefined
  const group = captureGroup({
    words,
    cwd: '/',
    env: process.env,
    ...(stdin === undefined ? {} : { stdin }),
    stdout: text => {
      out += text
    },
    stderr: text => {
      errors += text
    },
    ended: end => {
      ended = end
    },
  })
  onTestFinished(() => {
    if (group.pid !== undefined) signalGroup(group.pid, 'SIGKILL')
  })
  return {
    group,
    out: () => out,
    errors: () => errors,
    isOver: () => ended !== undefined,
    end: () =>
      until(
        () => ended,
        end => end !== undefined,
        'the end',
      ),
  }
}

const sh = (script: string, stdin?: string) => capture(['sh', '-c', script], stdin)

describe('a group whose output is captured', () => {
  test('all that it printed is there when it has ended, and what it was handed was read', async () => {
    const one = sh('cat; echo problem >&2; exit 3', 'handed ü\n')
    expect(await one.end()).toEqual({ code: 3 })
    expect([one.out(), one.errors()]).toEqual(['handed ü\n', 'problem\n'])
  })

  test('without input its stdin is at its end', async () => {
    expect(await sh('cat').end()).toEqual({ code: 0 })
  })

  test('a signal is told by its name', async () => {
    expect(await sh('kill -TERM $$').end()).toEqual({ signal: 'SIGTERM' })
  })

  test('what can’t be started says why', async () => {
    expect(await capture(['/no/such/program']).end()).toMatchObject({ notStarted: { code: 'ENOENT' } })
    expect(await capture(['sh', 'a\0b']).end()).toMatchObject({ notStarted: { code: '' } })
  })

  test('it leads a session without a terminal', async () => {
    const { group, out } = sh('echo begun; sleep 60')
    await until(out, text => text === 'begun\n')
    expect(readStat(group.pid ?? 0)).toMatchObject({ group: group.pid, session: group.pid, tty: 0 })
  })

  test('an end that was asked for takes what it started along, and is told once all of it is gone', async () => {
    const one = sh('(trap "" TERM; sleep 60) & sleep 60')
    one.group.end('soft')
    one.group.end('hard')
    await one.end()
    await until(
      () => isGroupAlive(one.group.pid as number),
      isAlive => !isAlive,
    )
  })

  test('what it leaves behind in the background is not waited for', async () => {
    const one = sh('sleep 60 & echo done')
    expect(await one.end()).toEqual({ code: 0 })
    expect(one.out()).toBe('done\n')
    expect(isGroupAlive(one.group.pid as number)).toBe(true)
  })
})

test('0 and 1 are no groups: the system would take them for the own one, and for all that there is', () => {
  expect([isGroupAlive(0), isGroupAlive(1)]).toEqual([false, false])
})
