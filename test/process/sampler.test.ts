import { describe, expect, test } from 'vitest'
import { noteError } from '../../src/os/proc/proc-file.ts'
import type { Depth, ProcessReader } from '../../src/process/process-reader.ts'
import { watchTree } from '../../src/process/sampler.ts'
import type { Sample } from '../../src/process/sampler-step.ts'
import type { Process, Snapshot } from '../../src/process/snapshot.ts'
import { virtualClock } from '../../src/track/clock.ts'

const standing: Omit<Process, 'threads'> = {
  pid: 7,
  parent: 1,
  group: 7,
  session: 7,
  startTicks: '1',
  name: 'job',
  command: 'job',
  foreground: -1,
  fds: {},
  majorFaults: 0,
  residentBytes: 4096,
  hasSignalTimer: false,
  isFrozen: false,
  hidden: [],
}

/** A process of one thread that a test moves by hand, on a clock that it moves by hand. */
function watched(hasActivity = true, lateBy = () => 0) {
  const clock = virtualClock()
  const scans: Depth[] = []
  const samples: Sample[] = []
  let [slices, cpu, delay, slept, isGone, polled] = [1, 0, 0, 0, false, 1]
  let isRefused = false
  const reader: ProcessReader = {
    known: () => new Map(),
    snapshot(root, depth): Snapshot | undefined {
      scans.push(depth)
      const call = { type: 'sleep', name: 'nanosleep', timeout: 1000 } as const
      const thread = { tid: 7, name: 'job', state: 'S', cpu, delay, slices, wchan: '', call }
      const processes = [{ ...standing, threads: [thread] }]
      const at = clock.now()
      if (isRefused) noteError(Object.assign(new Error(), { code: 'EMFILE' }))
      if (isGone || isRefused) return undefined
      return { platform: 'linux', at, uptime: at, root, supervisor: 2, processes, outsiders: [] }
    },
    ...(hasActivity && {
      activity: () => ({
        follow: () => {},
        poll() {
          const moved = slices !== polled
          polled = slices
          return moved
        },
        isWhole: () => true,
        close: () => {},
      }),
    }),
  }
  const sampler = watchTree(7, {
    clock: { ...clock, at: (at, call) => clock.at(at + lateBy(), call) },
    reader,
    onSample: sample => samples.push(sample),
    uptime: () => clock.now() + slept,
    // Other tests run in threads of this process.
    spent: () => 0,
  })
  return {
    clock,
    sampler,
    samples,
    scans,
    pairs: () => samples.filter(({ pair }) => pair),
    last: () => samples.at(-1) as Sample,
    run(ms: number, wait = 0) {
      slices++
      cpu += ms * 1e6
      delay += wait * 1e6
    },
    suspend(ms: number) {
      slept += ms
    },
    refuse(is: boolean) {
      isRefused = is
      slices++
    },
    end() {
      isGone = true
      slices++
    },
  }
}

describe('the sampler', () => {
  test('gives the first pair after two quiet ticks, of two scans that are a second apart', () => {
    const { clock, pairs, samples } = watched()
    clock.advance(1000)
    expect(pairs()).toEqual([])
    clock.advance(1000)
    expect(pairs()).toHaveLength(1)
    const { before, after } = samples.at(-1)?.pair ?? {}
    expect([before?.at, after?.at]).toEqual([1000, 2000])
  })

  test('scans nothing at all while nothing moves, but for pairs that become rare', () => {
    const { clock, scans, pairs } = watched()
    clock.advance(120_000)
    expect(scans.filter(depth => depth === 'tree')).toHaveLength(1)
    expect(pairs().map(({ at }) => at)).toEqual([2000, 4000, 9000, 19_000, 49_000, 79_000, 109_000])
  })

  test('starts anew when something ran: no pair reaches over a time slice', () => {
    const { clock, run, pairs, last } = watched()
    clock.advance(1500)
    run(1)
    clock.advance(1000)
    expect(last()).toMatchObject({ moved: true, lastMoved: 2000 })
    clock.advance(2000)
    expect(pairs().map(({ at, pair }) => [pair?.before.at, at])).toEqual([[3000, 4000]])
  })

  test('looks at a tree that moves once nothing new came for 4 s, and again every 10 s', () => {
    const { clock, run, pairs, sampler } = watched()
    const move = (seconds: number) => {
      for (let second = 0; second < seconds; second++) {
        run(1)
        clock.advance(1000)
      }
    }
    move(3)
    sampler.progress(clock.now())
    move(3)
    expect(pairs()).toEqual([])
    move(14)
    expect(pairs().map(({ at, moved }) => [at, moved])).toEqual([
      [8000, true],
      [19_000, true],
    ])
  })

  test('measures what was used between two samples', () => {
    const { clock, run, last } = watched()
    clock.advance(1000)
    run(500)
    clock.advance(1000)
    expect(last().metrics).toMatchObject({ cpuPercent: 50, processes: 1, threads: 1, residentBytes: 4096 })
    clock.advance(1000)
    expect(last().metrics).toMatchObject({ cpuPercent: 0, processes: 1 })
  })

  test('discards a window in which the machine slept, and begins a new pair', () => {
    const { clock, suspend, last, pairs } = watched()
    clock.advance(1000)
    suspend(60_000)
    clock.advance(1000)
    expect(last()).toMatchObject({ discarded: 'suspended' })
    expect(pairs()).toEqual([])
    clock.advance(2000)
    expect(last().discarded).toBeUndefined()
    expect(pairs()).toHaveLength(1)
  })

  test('discards a window in which it did not come to run itself', () => {
    let late = 0
    const { clock, samples } = watched(true, () => late)
    clock.advance(1000)
    late = 1500
    clock.advance(5000)
    expect(samples.some(({ discarded }) => discarded !== undefined)).toBe(false)
    late = 1501
    clock.advance(5000)
    expect(samples.map(({ discarded }) => discarded)).toContain('late')
  })

  test('tells of a tree that could run and got no processor', () => {
    const { clock, run, last } = watched()
    clock.advance(1000)
    run(10, 900)
    clock.advance(1000)
    expect(last()).toMatchObject({ discarded: 'starved', moved: true })
  })

  test('goes on where the system has no room to be read', () => {
    const { clock, refuse, pairs, last } = watched()
    clock.advance(500)
    refuse(true)
    clock.advance(5000)
    expect(last().isGone).not.toBe(true)
    expect(pairs()).toEqual([])
    refuse(false)
    clock.advance(5000)
    expect(pairs()).not.toEqual([])
  })

  test('ends with the root', () => {
    const { clock, end, samples, last } = watched()
    clock.advance(1000)
    end()
    clock.advance(5000)
    expect(last()).toMatchObject({ isGone: true })
    expect(samples).toHaveLength(3)
  })

  test('gives a pair at once where it is asked to', () => {
    const { clock, sampler, samples } = watched()
    clock.advance(0)
    expect(sampler.sample().pair).toBeDefined()
    expect(samples).toHaveLength(1)
    sampler.close()
    clock.advance(10_000)
    expect(samples).toHaveLength(1)
  })

  test('does without a activity: it compares times every 5 s', () => {
    const { clock, run, samples, scans, sampler } = watched(false)
    clock.advance(12_000)
    expect(scans.filter(depth => depth === 'tree').length).toBeLessThan(5)
    run(1)
    const from = clock.now()
    clock.advance(6000)
    sampler.close()
    expect(samples.filter(({ at, moved }) => at > from && moved)).toHaveLength(1)
  })
})
