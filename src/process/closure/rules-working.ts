/** Rules for a tree that has ended, is halted, is busy with a processor or a disk, or is deadlocked. */
import { type ClosureView, type ExternalWait, isFar, livingOf, of } from './closure-view.ts'
import { edgesOf, externalsOf, type Node } from './wait-graph.ts'
/** Rules for a tree that is over, held, at work on a processor or a disk, or locked in itself. */

import { threadName } from './call-source.ts'
import type { Motion } from './closure-view.ts'
import type { ClosureFinding, ClosureRule } from './finding.ts'
import { isGone } from './tree-index.ts'

/**
 * Locks that are held in a ring: each thread waits for a lock that the next one holds. The first ring, in order; empty where there
 * is none. Timed waits, and waits for anything else, are no part of one.
 */
function ringOf({ graph, reached }: ClosureView): readonly Node[] {
  const next = (node: Node): Node | undefined => {
    const [edge, ...more] = edgesOf(node)
    if (edge?.via !== 'lock' || more.length > 0 || node.moved) return undefined
    // A signal ends the wait for a file's lock (that is how `flock -w` gives up), and none for a mutex.
    const isMutex = node.call.type === 'futex'
    if (externalsOf(node).some(({ type }) => !isMutex || (type !== 'alarm' && type !== 'signal')))
      return undefined
    const [target, ...others] = graph.targets(edge)
    // A file lock belongs to a process: only where that is a single thread is it known who has to let go.
    return others.length === 0 ? target : undefined
  }
  const ordered = [...reached.keys(), ...graph.nodes.filter(node => !reached.has(node))]
  for (const start of ordered) {
    const path: Node[] = []
    for (let node: Node | undefined = start; node !== undefined; node = next(node)) {
      const at = path.indexOf(node)
      if (at >= 0) return path.slice(at)
      path.push(node)
    }
  }
  return []
}

/** From so much of a processor on it computes; a spinner of 10 frames a second takes a tenth of that. */
const computes = 0.03

/** It starves where it waits for a processor so much of the time, and gets less than that: it waits twice as long as it runs. */
const starves = { delay: 0.2, cpu: 0.1 }

/** Bytes a second and page faults a second from which the tree is busy with the disk, unless it uses this much CPU. */
const disk = { bytes: 500_000, faults: 50, cpu: 0.6 }

export const exited: ClosureRule = ({ tree }) => {
  const isThere = [...tree.processes.values()].some(program => program.threads.length > 0)
  return isThere ? undefined : certain('exited', 'no process of it is left')
}

/** The root has ended, and so has everything that it started. */
export const zombie: ClosureRule = ({ tree }) => {
  const root = tree.processes.get(tree.snapshot.root)
  if (!root || ![...tree.processes.values()].every(isGone)) return undefined
  // Its supervisor asks at once: it is met here between its end and that.
  if (root.parent === tree.snapshot.supervisor) return certain('exited', `${tree.nameOf(root.pid)} has ended`)
  const parent = tree.nameOf(root.parent)
  return {
    ...certain('zombie', `${tree.nameOf(root.pid)} has ended, and ${parent} has not asked for its exit code`),
    isBlocked: true,
    advice: `end ${parent}, or make it wait for its children`,
  }
}

export const ring: ClosureRule = view => {
  const threads = ringOf(view)
  const [first] = threads
  if (!first) return undefined
  // A signal that somebody may send frees no mutex; the handler of an alarm may well end the program.
  const isMainAlive = livingOf(view.own).some(
    ({ node, source }) => source.type !== 'signal' || !threads.includes(node),
  )
  if (isMainAlive && isAtWork(view)) return undefined
  // Sleepers beside a ring change nothing; work that gets done is not to be given up for it.
  const isHeld = !isMainAlive && !isAtWork(view)
  const source = first.sources.find(({ type }) => type === 'edge')
  const limits = limitsOf(view, threads)
  const far = limits.flatMap(({ source: { ms } }) => (ms === undefined ? [] : [ms]))
  const more: Partial<ClosureFinding> =
    limits.length === 0
      ? { doubts: isHeld ? [] : ['other threads of it go on'] }
      : {
          proof: 'bounded',
          ...(far.length > 0 ? { until: view.tree.snapshot.at + Math.min(...far) } : {}),
          doubts: limits.map(
            ({ node }) => `a timer of ${view.tree.nameOf(node.program.pid)}, which waits for it, may end it`,
          ),
        }
  return {
    ...certain('deadlock', ringWords(threads, view)),
    isBlocked: isHeld,
    ...(source ? { leaf: { node: first, source } } : {}),
    advice: 'end it, and have its locks taken in one order',
    ...more,
  }
}

/** Timers of programs that wait for the ring from above it: `timeout` ends what it waits for, whatever that is stuck in. */
const limitsOf = ({ own }: ClosureView, threads: readonly Node[]): readonly ExternalWait[] =>
  own.filter(
    wait =>
      (wait.source.type === 'alarm' || isFar(wait)) &&
      threads.every(({ program }) => program !== wait.node.program),
  )

function ringWords(threads: ReturnType<typeof ringOf>, { tree }: ClosureView): string {
  const [first] = threads
  const name = first ? tree.nameOf(first.program.pid) : ''
  const onFile = first?.call.type === 'lock' && first.sources[0]?.what
  if (threads.length === 1) return `${name} waits for ${onFile || 'a lock that it holds itself'}`
  const isOne = threads.every(({ program }) => program === first?.program)
  const named = threads.map(({ program, thread }) =>
    isOne ? `thread ${thread.tid}` : threadName(tree, program, thread.tid),
  )
  const links = named.map((who, at) => {
    const next = named[(at + 1) % named.length] ?? ''
    return `${who} waits for ${isOne ? next.replace('thread ', '') : next}`
  })
  return isOne
    ? `${name} is locked in a ring: ${links.slice(0, 4).join(', ')}`
    : `locked in a ring: ${links.slice(0, 4).join(', ')}`
}

/** Something of the tree gets work done, or is about to. */
const isAtWork = ({ motion, externals }: ClosureView): boolean =>
  motion.cpu >= computes ||
  (of(externals, 'computing').length > 0 && motion.delay >= starves.delay) ||
  of(externals, 'disk', 'network', 'connecting').length > 0

export const busy: ClosureRule = view => {
  const { motion, externals } = view
  const running = of(externals, 'computing')
  const [first] = running
  const leaf = first ? { leaf: first } : {}
  const isDisk =
    motion.cpu < disk.cpu
      ? motion.diskRate >= disk.bytes || motion.faultRate >= disk.faults
      : motion.faultRate >= disk.faults && motion.diskRate >= disk.bytes
  if (isDisk) return onDisk(view, motion.faultRate >= disk.faults)
  if (isStarved(motion) && running.length > 0)
    return {
      ...certain(
        'starved',
        `it could run, and waits for a processor ${share(Math.min(1, motion.delay))} of the time`,
      ),
      ...leaf,
    }
  if (motion.cpu >= computes)
    return { ...certain('computing', `it computes, on ${share(motion.cpu)} of a processor`), ...leaf }
  const [waiting] = of(externals, 'disk')
  if (!waiting) return undefined
  // The disk moves nothing and wakes nobody: only the state of the thread names it.
  const isMoving = motion.diskRate > 0 || motion.faultRate > 0 || !motion.isStill
  if (isMoving) return onDisk(view, false)
  const doubts = ['nothing came from a disk meanwhile']
  return { cause: 'disk', proof: 'inferred', isBlocked: false, leaf: waiting, doubts }
}

const share = (part: number): string => `${Math.round(part * 100)} %`

const isStarved = ({ cpu, delay }: Motion): boolean => delay >= starves.delay && cpu < starves.cpu

/** Proven by itself, whatever else the tree does. */
const certain = (cause: ClosureFinding['cause'], summary: string): ClosureFinding => ({
  cause,
  proof: 'proven',
  isBlocked: false,
  isOfItself: true,
  summary,
})

function onDisk({ externals, motion }: ClosureView, isPaging: boolean): ClosureFinding {
  const [first] = of(externals, 'disk', 'computing')
  const rate = `${(motion.diskRate / 1e6).toFixed(1)} MB/s`
  const summary = isPaging ? 'it reads pages of files into memory' : `it waits for the disk (${rate})`
  return { ...certain('disk', summary), ...(first ? { leaf: first } : {}) }
}

const held = {
  stopped: 'let it go on: kill -CONT',
  frozen: 'thaw its control group',
  traced: 'let its debugger go on',
} as const

/** A shell that waits for input after one of its jobs was suspended. */
const isAtPrompt = ({ own, main }: ClosureView): boolean =>
  of(own, 'input', 'person').some(({ node }) => main.includes(node))

/** A process that is held from outside, where nothing of the tree gets work done. */
export const halted: ClosureRule = view => {
  if (isAtWork(view) || isAtPrompt(view)) return undefined
  const [first] = of(view.own, 'frozen', 'traced', 'stopped')
  const found = first ?? of(view.externals, 'frozen', 'traced', 'stopped')[0]
  if (!found) return undefined
  const cause = found.source.type as keyof typeof held
  const living = livingOf(view.externals)
  const { pid } = found.node.program
  const far = living.filter(isFar).map(({ source }) => source.ms ?? 0)
  return {
    cause,
    proof: living.length === 0 ? 'proven' : far.length > 0 ? 'bounded' : 'inferred',
    isBlocked: living.length === 0 && cause !== 'traced',
    leaf: found,
    advice: cause === 'stopped' ? `${held.stopped} ${pid}` : held[cause],
    ...(far.length > 0 ? { until: view.tree.snapshot.at + Math.min(...far) } : {}),
    doubts: living.length > 0 ? ['other parts of the tree may go on'] : [],
  }
}
