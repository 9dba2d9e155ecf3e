/** Rules for a tree that is over, held, at work on a processor or a disk, or locked in itself. */

import { type ClosureView, isFar, livingOf, of } from './closure-view.ts'
import type { ClosureFinding, ClosureRule } from './finding.ts'
import { ringOf } from './lock-ring.ts'
import { isGone } from './tree-index.ts'
import type { Motion } from './tree-motion.ts'

/** From so much of a processor on it computes; a spinner of 10 frames a second takes a tenth of that. */
const computes = 0.03

/** It starves where it waits for a processor so much of the time, gets less than that, and waits longer than it runs. */
const starves = { delay: 0.2, cpu: 0.1, ratio: 2 }

/** Bytes a second and page faults a second from which the disk is what it is busy with; and the CPU that says otherwise. */
const disk = { bytes: 500_000, faults: 50, cpu: 0.6 }

export const exited: ClosureRule = ({ tree }) => {
  const isThere = [...tree.processes.values()].some(program => program.threads.length > 0)
  return isThere
    ? undefined
    : {
        cause: 'exited',
        proof: 'proven',
        isBlocked: false,
        stands: true,
        summary: 'no process of it is left',
      }
}

/** The root has ended, and so has everything that it started. */
export const zombie: ClosureRule = ({ tree }) => {
  const root = tree.processes.get(tree.snapshot.root)
  if (!root || ![...tree.processes.values()].every(isGone)) return undefined
  // Its supervisor asks at once: it is met here between its end and that.
  if (root.parent === tree.snapshot.supervisor)
    return {
      cause: 'exited',
      proof: 'proven',
      isBlocked: false,
      stands: true,
      summary: `${tree.nameOf(root.pid)} has ended`,
    }
  return {
    cause: 'zombie',
    proof: 'proven',
    isBlocked: true,
    stands: true,
    summary: `${tree.nameOf(root.pid)} has ended, and ${tree.nameOf(root.parent)} has not asked for its exit code`,
    advice: `end ${tree.nameOf(root.parent)}, or make it wait for its children`,
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
  return {
    cause: 'deadlock',
    proof: 'proven',
    isBlocked: isHeld,
    stands: true,
    ...(source ? { leaf: { node: first, source } } : {}),
    summary: ringWords(threads, view),
    advice: 'end it, and have its locks taken in one order',
    doubts: isHeld ? [] : ['other threads of it go on'],
  }
}

function ringWords(threads: ReturnType<typeof ringOf>, { tree }: ClosureView): string {
  const [first] = threads
  const name = first ? tree.nameOf(first.program.pid) : ''
  if (threads.length === 1) return `${name} waits for a lock that it holds itself`
  const ids = threads.map(({ thread }) => thread.tid)
  const links = ids.map((tid, at) => `thread ${tid} waits for ${ids[(at + 1) % ids.length]}`)
  return `${name} is locked in a ring: ${links.slice(0, 4).join(', ')}`
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
      ...working(
        'starved',
        `it could run, and waits for a processor ${share(Math.min(1, motion.delay))} of the time`,
      ),
      ...leaf,
    }
  if (motion.cpu >= computes)
    return { ...working('computing', `it computes, on ${share(motion.cpu)} of a processor`), ...leaf }
  const [waiting] = of(externals, 'disk')
  return waiting ? onDisk(view, false) : undefined
}

const share = (part: number): string => `${Math.round(part * 100)} %`

const isStarved = ({ cpu, delay }: Motion): boolean =>
  delay >= starves.delay && cpu < starves.cpu && delay >= cpu * starves.ratio

const working = (cause: ClosureFinding['cause'], summary: string): ClosureFinding => ({
  cause,
  proof: 'proven',
  isBlocked: false,
  stands: true,
  summary,
})

function onDisk({ externals, motion }: ClosureView, isPaging: boolean): ClosureFinding {
  const [first] = of(externals, 'disk', 'computing')
  const rate = `${(motion.diskRate / 1e6).toFixed(1)} MB/s`
  const summary = isPaging ? 'it reads pages of files into memory' : `it waits for the disk (${rate})`
  return { ...working('disk', summary), ...(first ? { leaf: first } : {}) }
}

const held = {
  stopped: 'let it go on: kill -CONT',
  frozen: 'thaw its control group',
  traced: 'let its debugger go on',
} as const

/** A shell with a job that was suspended, which waits to be told about it. */
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
    ...(far.length > 0 && living.length > 0 ? { until: view.tree.snapshot.at + Math.min(...far) } : {}),
    doubts: living.length > 0 ? ['other parts of the tree may go on'] : [],
  }
}
