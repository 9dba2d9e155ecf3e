/** Findings in words: who is in which call, on what, and who waits for whom. */
import type { Wait } from '../diagnosis.ts'
import type { Call, FdWait } from '../snapshot.ts'
import { threadName } from './call-source.ts'
import type { ClosureView, ThreadWait } from './closure-view.ts'
import type { ClosureFinding } from './finding.ts'
import type { TreeIndex } from './tree-index.ts'
import {
  type Edge,
  edgesOf,
  type Graph,
  isEdge,
  isLive,
  type Node,
  reach,
  type WakeSource,
} from './wait-graph.ts'

function waitOf({ node, source }: ThreadWait): Wait {
  const { program, thread, call } = node
  return {
    pid: program.pid,
    tid: thread.tid,
    name: thread.tid === program.pid ? program.name : `${program.name}/${thread.name}`,
    call: callWords(call, thread.state),
    on: onWords(source),
    waker: isEdge(source) ? [source.tid ?? source.pid] : source.pids,
    ...(!isEdge(source) && isLive(source) ? { live: source.what } : {}),
  }
}

function callWords(call: Call, state: string): string {
  if (state === 'T' || state === 't') return 'stopped'
  switch (call.type) {
    case 'running':
      return 'running'
    case 'hidden':
      return 'a call that may not be read'
    case 'none':
      return 'no call'
    case 'fds':
      return `${call.name}(${fdWords(call.fds)})`
    case 'futex':
      return `futex ${call.address}`
    case 'child':
      return call.pid > 0 ? `${call.name}(${call.pid})` : call.name
    case 'lock':
      return `${call.name}(${call.fd})`
    case 'opens':
      return `${call.name}(${call.path})`
    case 'ring':
      return `io_uring_enter(${call.fd})`
    case 'worker':
      return 'a worker of io_uring'
    case 'sleep':
    case 'signal':
    case 'disk':
    case 'shared':
    case 'other':
      return call.name
  }
}

function fdWords(fds: readonly FdWait[]): string {
  const numbers = [...new Set(fds.map(({ fd }) => fd))].sort((a, b) => a - b)
  return numbers.length > 4 ? `${numbers.slice(0, 3).join(', ')}, …` : numbers.join(', ')
}

const onWords = (source: WakeSource): string =>
  source.type === 'timer' && source.ms !== undefined
    ? `${source.what} that fires within ${seconds(source.ms)}`
    : source.what

export const seconds = (ms: number): string =>
  ms < 1000
    ? `${Math.ceil(ms)} ms`
    : ms < 10_000
      ? `${(ms / 1000).toFixed(1)} s`
      : `${Math.round(ms / 1000)} s`

/** The path by which the tree's own thread depends on a place: the root first. */
export function chainOf({ main, reached }: ClosureView, leaf: ThreadWait | undefined): readonly Wait[] {
  if (!leaf) return []
  const chain: ThreadWait[] = [leaf]
  for (let step = reached.get(leaf.node); step !== undefined; step = reached.get(step.from))
    chain.unshift({ node: step.from, source: step.edge })
  const [first] = main
  // The root's threads wait for none of it: it is a second branch.
  const isApart = !reached.has(leaf.node) && first !== undefined
  const source = isApart ? first.sources[0] : undefined
  if (isApart && source) chain.unshift({ node: first, source })
  return chain.map(place => waitOf(place))
}

/** Every thread that waits for something besides its own process. */
export function waitsOf({ graph, reached, main }: ClosureView): readonly Wait[] {
  const ordered = [...reached.keys(), ...graph.nodes.filter(node => !reached.has(node))]
  return ordered.flatMap(node => {
    const source = decidingSource(node)
    const isIdle = source !== undefined && isEdge(source) && source.via === 'own' && !main.includes(node)
    return source && !isIdle && !node.isHousekeeping ? [waitOf({ node, source })] : []
  })
}

/** The source that decides for a thread: a live one, else the edge to another thread, else the reason why nothing comes. */
function decidingSource(node: Node): WakeSource | undefined {
  const externals = node.sources.filter(source => !isEdge(source))
  const seen = externals.filter(({ type }) => type !== 'alarm')
  const edges = edgesOf(node)
  const edge = edges.find(({ via }) => via !== 'own' && via !== 'exit') ?? edges[0]
  return seen.find(isLive) ?? seen[0] ?? edge ?? externals[0]
}

const isHalted = ({ cause }: ClosureFinding): boolean => cause === 'stopped' || cause === 'frozen'

/** One sentence without a full stop. */
export function summaryOf(
  view: ClosureView,
  finding: ClosureFinding,
  { isBlocked, unseen }: { readonly isBlocked: boolean; readonly unseen: readonly string[] },
): string {
  const { tree } = view
  const { leaf, summary } = finding
  const who = leaf && threadName(tree, leaf.node.program, leaf.node.thread.tid)
  const what = leaf ? `${who} ${inCall(leaf)} ${link(leaf.source)} ${onWords(leaf.source)}` : ''
  const waiters = waitersOf(view, leaf)
  const end =
    isBlocked && finding.cause !== 'zombie'
      ? isHalted(finding)
        ? 'only somebody else can let it go on'
        : 'no timer, socket or other process can wake the tree'
      : unseen.length > 0
        ? `nothing that can be seen wakes the tree, and it can't be seen ${unseen.join(', nor ')}`
        : ''
  return [summary ?? what, waiters, end].filter(part => part !== '').join('; ')
}

function inCall({ node, source }: ThreadWait): string {
  if (source.type === 'frozen') return 'is frozen'
  const words = callWords(node.call, node.thread.state)
  return words === 'stopped' || words === 'running' ? `is ${words}` : `in ${words}`
}

function link(source: WakeSource): string {
  if (isEdge(source))
    return source.via === 'child' || source.via === 'join' || source.via === 'exit' ? 'for' : 'on'
  switch (source.type) {
    case 'stopped':
    case 'frozen':
    case 'traced':
      return 'and waits for'
    case 'timer':
      return 'with'
    case 'alarm':
      return 'until'
    default:
      return 'on'
  }
}

/** From the leaf back: `thread 813 waits for the mutex of thread 814, claude(812) waits for thread 813, sh(790) waits for 812`. */
function waitersOf({ tree, graph, reached }: ClosureView, leaf: ThreadWait | undefined): string {
  const links: string[] = leaf ? linksWithin(tree, graph, leaf.node) : []
  for (let at = leaf && reached.get(leaf.node); at !== undefined; at = reached.get(at.from)) {
    const { from, edge } = at
    if (from.program.pid !== edge.pid) links.push(`${tree.nameOf(from.program.pid)} waits for ${edge.pid}`)
  }
  return links.length > 4 ? `${links.slice(0, 2).join(', ')}, …, ${links.at(-1)}` : links.join(', ')
}

/** Whoever waits for a process waits for its first thread: how that one depends on this, back to it. */
function linksWithin(tree: TreeIndex, graph: Graph, node: Node): string[] {
  const { program } = node
  const [first] = graph.targets({ type: 'edge', via: 'own', pid: program.pid, tid: program.pid, what: '' })
  const steps = first?.program === program ? reach(graph, [first]) : undefined
  const links: string[] = []
  for (let at = steps?.get(node); at?.from.program === program; at = steps?.get(at.from))
    if (at.edge.tid !== undefined) links.push(`${threadOf(tree, at.from)} waits for ${threadEdge(at.edge)}`)
  return links
}

const threadOf = (tree: TreeIndex, { program, thread }: Node): string =>
  thread.tid === program.pid ? tree.nameOf(program.pid) : `thread ${thread.tid}`

const threadEdge = ({ via, tid }: Edge): string =>
  via === 'lock' ? `the mutex of thread ${tid}` : `the end of thread ${tid}`
