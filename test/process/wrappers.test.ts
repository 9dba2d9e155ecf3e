/** Programs that wait for another one and pass signals on, or look now and then: they are judged like what they wait for. */
import { describe, expect, test } from 'vitest'
import { diagnose } from '../../src/process/closure/diagnose.ts'
import type { Call, Process, Target, Timeout } from '../../src/process/snapshot.ts'
import { held, pairOf, pipe, read, supervisor, thread, tree } from '../support/process-tree.ts'

const stdin = pipe(held(supervisor))
const cat = (parent: number): Process => tree(2, { parent, call: read(0), fds: { 0: stdin } })
const child: Call = { type: 'child', name: 'wait4', pid: -1, timeout: undefined }
const sigwait = (timeout: Timeout): Call => ({ type: 'signal', name: 'rt_sigtimedwait', timeout })
const poll = (timeout: Timeout, ...fds: number[]): Call => ({
  type: 'fds',
  name: 'poll',
  fds: fds.map(fd => ({ fd, want: 'read' })),
  timeout,
})

/** Each that is named ran between the two looks. */
function said(processes: readonly Process[], ...moved: number[]) {
  const before = processes.map(one =>
    moved.includes(one.pid) ? { ...one, threads: one.threads.map(each => ({ ...each, slices: 1 })) } : one,
  )
  return diagnose({ ...pairOf(processes), before: pairOf(before).before })
}

const likely = (pid: number) => ({
  cause: 'stdin',
  proof: 'inferred',
  isBlocked: false,
  unseen: [expect.stringContaining(`\`p${pid}\`(${pid}) to end it`)],
})

describe('a wrapper is judged like what it wraps, and never certain', () => {
  test('an init shim that waits for signals, and looks each second', () => {
    expect(said([tree(1, { call: sigwait(undefined) }), cat(1)])).toMatchObject(likely(1))
    const ticking = said([tree(1, { call: sigwait(1000) }), cat(1)], 1)
    expect(ticking).toMatchObject({ ...likely(1), isWrapped: true })
    expect(ticking.summary).toContain('`p2`(2) in read(0) on its stdin')
  })

  test('a program with a handler of its own that waits for its child', () => {
    expect(said([tree(1, { call: child, catches: ['USR1'] }), cat(1)])).toMatchObject(likely(1))
  })

  test('a part of a pipeline that shows how far it is', () => {
    const between = pipe(held(2), held(3), '9')
    const meter = tree(3, { parent: 1, call: poll(100, 0), fds: { 0: between } })
    expect(said([tree(1, { call: child }), cat(1), meter], 3)).toMatchObject(likely(3))
  })

  test('a program that holds the terminal of another, between it and its own', () => {
    const master: Target = { type: 'pipe', inode: 'ptmx:5', readers: held(2), writers: held(2) }
    const news: Target = { type: 'signalfd', signals: ['USR1', 'CHLD'] }
    const tty: Target = { type: 'tty', path: '/dev/pts/5', master: held(1) }
    const relay = tree(1, { call: poll(undefined, 0, 3, 4), fds: { 0: stdin, 3: master, 4: news } })
    const inner = tree(2, { parent: 1, call: read(0), fds: { 0: tty } })
    expect(said([relay, inner])).toMatchObject(likely(1))
  })
})

describe('no wrapper', () => {
  test('one that may have a limit: a parent whose loop has timers, a shim that waits for long', () => {
    const fromChild = pipe(held(2), held(1), '9')
    const loop = tree(1, { call: poll(100, 3), fds: { 3: fromChild } })
    for (const first of [loop, tree(1, { call: sigwait(60_000) })]) {
      const { isBlocked, unseen } = said([first, cat(1)])
      expect({ isBlocked, unseen }).toEqual({ isBlocked: false, unseen: undefined })
    }
  })

  test('one that is waited for by what it waits for', () => {
    const [there, back] = [pipe(held(1), held(2), '8'), pipe(held(2), held(1), '9')]
    const first = tree(1, { call: read(3), fds: { 3: back }, catches: ['USR1'] })
    const second = tree(2, { parent: 1, call: read(0), fds: { 0: there } })
    const found = said([first, second])
    expect(found.unseen).toBe(undefined)
    expect(found.isBlocked).toBe(false)
  })

  test('one that waits for something that lives, and one whose wrapped program lives', () => {
    const sleeper = tree(2, { call: { type: 'sleep', name: 'nanosleep', timeout: 600_000 } })
    expect(said([tree(1, { call: sigwait(1000) }), sleeper], 1)).toMatchObject({
      cause: 'timer',
      proof: 'bounded',
    })
  })
})

test('a file of signals that would only end it is the word that it may wait for; one that carries news may wake it', () => {
  const root = (signals: readonly string[] | undefined): Process =>
    tree(1, {
      threads: [thread(1, poll(undefined, 0, 4))],
      fds: { 0: stdin, 4: { type: 'signalfd', ...(signals && { signals }) } },
    })
  expect(said([root(['TERM', 'INT'])])).toMatchObject({
    ...{ cause: 'stdin', proof: 'inferred', isBlocked: false, mayAwaitWord: true },
    unseen: [expect.stringContaining('SIGTERM')],
  })
  expect(said([root(['SEGV'])])).toMatchObject({ cause: 'stdin', proof: 'proven', isBlocked: true })
  for (const signals of [['TERM', 'USR1'], undefined])
    expect(said([root(signals)])).toMatchObject({ isBlocked: false, isOpen: true })
})
