import { spawn } from 'node:child_process'
import { describe, expect, test } from 'vitest'
import { linuxReader } from '../../src/process/linux/linux-reader.ts'
import { watchTree } from '../../src/process/sampler.ts'
import type { Sample } from '../../src/process/sampler-step.ts'
import type { Process } from '../../src/process/snapshot.ts'
import { realClock } from '../../src/track/clock.ts'
import { until } from '../support/until.ts'

/** Whether it sleeps until its stdin has something. While it is loaded, it reads other files, and waits for a processor. */
function isWaiting(cat: Process | undefined): boolean {
  const [thread] = cat?.threads ?? []
  return thread?.state === 'S' && thread.call.type === 'fds' && thread.call.fds[0]?.fd === 0
}

describe.runIf(process.platform === 'linux')('the activity', () => {
  test('of a program that sleeps is still; once it is written to, it moves', async () => {
    const child = spawn('cat', { stdio: ['pipe', 'pipe', 'ignore'] })
    const pid = child.pid ?? 0
    const reader = linuxReader()
    await until(() => reader.snapshot(pid, 'calls')?.processes[0], isWaiting)
    const activity = reader.activity?.()
    activity?.follow([[pid, pid]])
    await until(
      () => activity?.poll(),
      moved => moved === false,
    )
    expect(activity?.poll()).toBe(false)
    child.stdin.write('hello')
    await until(
      () => activity?.poll(),
      moved => moved === true,
    )
    child.kill('SIGKILL')
    await until(
      () => reader.snapshot(pid, 'tree'),
      snapshot => snapshot === undefined,
    )
    expect(activity?.poll()).toBe(true)
    activity?.close()
  })

  test('follows no more threads than it may keep files open, and says so', async () => {
    const { linuxActivity } = await import('../../src/process/linux/activity-poll.ts')
    const activity = linuxActivity(1)
    activity.follow([
      [process.pid, process.pid],
      [process.ppid, process.ppid],
    ])
    expect(activity.isWhole()).toBe(false)
    activity.close()
  })

  test('reads a share of a crowd at each poll, and all of it in a round', async () => {
    const { linuxActivity } = await import('../../src/process/linux/activity-poll.ts')
    const cats = [1, 2, 3].map(() => spawn('cat', { stdio: ['pipe', 'ignore', 'ignore'] }))
    const reader = linuxReader()
    const looks = () => cats.map(({ pid = 0 }) => reader.snapshot(pid, 'calls')?.processes[0])
    await until(looks, seen => seen.every(isWaiting))
    const activity = linuxActivity(10, 1)
    activity.follow(cats.map(({ pid = 0 }) => [pid, pid]))
    const round = () => cats.map(() => activity.poll())
    await until(round, polls => !polls.includes(true))
    const slices = () => reader.snapshot(cats[2]?.pid ?? 0, 'tree')?.processes[0]?.threads[0]?.slices ?? 0
    const before = slices()
    cats[2]?.stdin?.write('hello')
    await until(slices, now => now > before)
    const polls = round()
    activity.close()
    for (const cat of cats) cat.kill('SIGKILL')
    expect(polls).toEqual([false, false, true])
  })

  test('a pair of a program that waits for its input, in real time', async () => {
    const child = spawn('cat', { stdio: ['pipe', 'ignore', 'ignore'] })
    const samples: Sample[] = []
    // While it starts it may wait for a processor as still as for its input.
    const looks = linuxReader()
    await until(() => looks.snapshot(child.pid ?? 0, 'calls')?.processes[0], isWaiting)
    const clock = realClock(true)
    const sampler = watchTree(child.pid ?? 0, {
      clock,
      reader: linuxReader(),
      onSample: sample => samples.push(sample),
    })
    const pair = await until(
      () => samples.find(sample => sample.pair)?.pair,
      found => found !== undefined,
    )
    sampler.close()
    child.kill('SIGKILL')
    const slices = [pair?.before, pair?.after].map(snapshot => snapshot?.processes[0]?.threads[0]?.slices)
    expect(slices[0]).toBe(slices[1])
    expect(pair?.after.processes[0]?.threads[0]?.call).toMatchObject({ fds: [{ fd: 0, want: 'read' }] })
  })
})
