/**
 * Threads that a runtime keeps for itself: they wake by a clock of their own, and do nothing for the program. HotSpot's
 * names are those of jdk/src/hotspot/share (runtime/vmThread, gc, compiler), cut to the 15 characters that Linux keeps;
 * V8's is of src/node_platform.cc.
 */
import type { Process, Thread } from '../snapshot.ts'

const hotspot = [
  'VM Periodic Tas',
  'VM Thread',
  'Monitor Deflati',
  'Service Thread',
  'Signal Dispatch',
  'Common-Cleaner',
  'Reference Handl',
  'Finalizer',
  'Sweeper thread',
  'Notification Th',
]

const collectors = /^(G1 |GC Thread|C[12] Compiler|ZGC|Shenandoah)/

export function isHousekeeping({ name }: Process, thread: Thread): boolean {
  if (name === 'java') return hotspot.includes(thread.name) || collectors.test(thread.name)
  return thread.name === 'DelayedTaskSche'
}

/**
 * The handler that a runtime installs by itself, and that wakes no program: node's starts the inspector
 * (src/inspector_agent.cc, whose thread has that name since Node 24), GNU make's toggles its debugging (main.c), HotSpot's
 * stops threads for itself (os/posix/signals_posix.cpp, SR_signum).
 */
export function ownSignal({ name, threads }: Process): 'USR1' | 'USR2' | undefined {
  if (threads.some(thread => thread.name === 'SignalInspector')) return 'USR1'
  return byName.get(name)
}

const byName: ReadonlyMap<string, 'USR1' | 'USR2'> = new Map([
  ['node', 'USR1'],
  ['make', 'USR1'],
  ['gmake', 'USR1'],
  ['java', 'USR2'],
])
