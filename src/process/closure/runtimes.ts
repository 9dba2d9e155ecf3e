/**
 * What runtimes keep for themselves: threads that wake by a clock of their own, and handlers that wake no program. Each row
 * was measured with the version that it names, on Linux 6.18.
 */
import type { Process, Thread } from '../snapshot.ts'
import { kindOf } from './signals.ts'

type Runtime = {
  /** The file that is executed; where it is unknown, the name. */
  readonly program: RegExp
  readonly seen: string
  /** Where the handlers are installed. */
  readonly source: string
  /** Only the runtime handles them: a program can't, or must not, have a handler of its own. */
  readonly reserved?: readonly string[]
  /** Handled by it from the start: whether the program has one of its own can't be seen from outside. */
  readonly shared?: readonly string[]
  readonly threads?: RegExp
  /** Its threads sleep until the next timer of all, its own ones included: none of them excuses the program. */
  readonly hasOneClock?: true
  /** It has a POSIX timer of this signal, which switches between its own threads. */
  readonly timer?: string
}

/** Names are cut to the 15 characters that Linux keeps. */
const hotspot =
  /^(VM Periodic Tas|VM Thread|Monitor Deflati|Service Thread|Signal Dispatch|Common-Cleaner|Reference Handl|Finalizer|Sweeper thread|Notification Th|G1 |GC Thread|C[12] Compiler|ZGC|Shenandoah)/

export const runtimes: readonly Runtime[] = [
  {
    // Its documentation reserves the signal for the debugger (nodejs.org/api/process.html#signal-events).
    program: /^node(js)?$/,
    seen: 'Node 20.20, 24.21',
    source: 'src/inspector_agent.cc, src/node_platform.cc, deps/uv/src/unix/process.c',
    reserved: ['USR1', 'CHLD'],
  },
  {
    program: /^g?make$/,
    seen: 'GNU make 4.3',
    source: 'src/main.c',
    reserved: ['USR1', 'CHLD', 'HUP', 'INT', 'QUIT', 'TERM'],
  },
  {
    program: /^java$/,
    seen: 'OpenJDK 17.0.15',
    source:
      'src/hotspot/share/runtime, os/posix/signals_posix.cpp (SR_signum), src/java.base/linux/native/libnio/ch/NativeThread.c',
    reserved: ['USR2', 'RT62'],
    shared: ['HUP', 'INT', 'TERM', 'QUIT'],
    threads: hotspot,
  },
  {
    program: /^(ba|da|z|k|mk|a|busybox |)sh$|^busybox$/,
    seen: 'bash 5.2, dash 0.5.12',
    source: 'bash: sig.c, jobs.c; dash: src/trap.c',
    reserved: ['CHLD'],
    // It looks like a trap of the script.
    shared: ['INT'],
  },
  {
    program: /^(python|pypy)[\d.]*$/,
    seen: 'Python 3.11, 3.13',
    source: 'Python/pylifecycle.c, Modules/signalmodule.c (default_int_handler)',
    shared: ['INT'],
  },
  {
    program: /^ruby[\d.]*$/,
    seen: 'Ruby 3.1.2',
    source: 'signal.c (Init_signal), thread_pthread.c (timer_pthread)',
    reserved: ['CHLD'],
    shared: ['HUP', 'INT', 'QUIT', 'ALRM', 'TERM', 'USR1', 'USR2'],
    timer: 'VTALRM',
  },
  {
    program: /^php[\d.]*$/,
    seen: 'PHP 8.2',
    source: 'Zend/zend_signal.c (zend_sigs)',
    shared: ['HUP', 'INT', 'QUIT', 'TERM', 'USR1', 'USR2'],
  },
  {
    program: /^(beam\.smp|erl_child_setup)$/,
    seen: 'Erlang/OTP 25',
    source: 'erts/emulator/sys/unix/sys.c (init_break_handler, sys_init_suspend_handler)',
    shared: ['INT', 'QUIT', 'TERM', 'USR1'],
    reserved: ['CHLD'],
    threads: /^(sys_sig_dispatc|sys_msg_dispatc)/,
    hasOneClock: true,
  },
  {
    // To suspend, restart and abort its threads.
    program: /^mono(-sgen)?$/,
    seen: 'Mono 6.8',
    source: 'mono/utils/mono-threads-posix-signals.c',
    reserved: ['RT35', 'RT36', 'RT37'],
  },
  {
    // Its collector (bdwgc) stops threads by the one, and lets them go on by XCPU.
    program: /^guile(-[\d.]+)?$/,
    seen: 'Guile 3.0.8',
    source: 'bdwgc: pthread_stop_world.c (SIG_SUSPEND)',
    reserved: ['PWR'],
  },
  {
    // USR2 stops threads for its collector, URG interrupts one.
    program: /^sbcl$/,
    seen: 'SBCL 2.2.9',
    source: 'src/runtime/target-arch-os.h (SIG_STOP_FOR_GC), src/code/target-signal.lisp',
    reserved: ['USR2', 'URG'],
    shared: ['ALRM', 'CHLD', 'INT', 'TERM'],
  },
  {
    program: /^dotnet$/,
    seen: '.NET (source only)',
    source: 'src/coreclr/pal/src/exception/signal.cpp, src/native/libs/System.Native/pal_signal.c',
    reserved: ['RT34', 'CHLD', 'CONT', 'WINCH'],
    shared: ['INT', 'QUIT', 'TERM', 'HUP'],
    threads: /^\.NET (SynchManag|EventPipe|SigHandler|Tiered Compil|Finalizer)/,
  },
]

export const runtimeOf = ({ program, name }: Pick<Process, 'program' | 'name'>): Runtime | undefined =>
  runtimes.find(one => one.program.test(program ?? name))

/** Threads of node's, in whatever program it is built into: its delayed tasks, its debugger's signals. */
const ofNode = { tasks: 'DelayedTaskSche', signals: 'SignalInspector' } as const

export const isHousekeeping = (process: Process, thread: Thread): boolean =>
  thread.isRuntimes === true ||
  thread.name === ofNode.tasks ||
  runtimeOf(process)?.threads?.test(thread.name) === true

export type Handlers = {
  /** Of the program itself, for signals that carry news: any of them may be what it waits for. */
  readonly events: readonly string[]
  /** For such signals, and nobody can tell from outside whether they are the program's or its runtime's. */
  readonly shared: readonly string[]
  /** Of the program itself, for signals that end programs. */
  readonly ends: readonly string[]
}

/** Who handles both cleans up at its end: readpassphrase(3), readline, openssl. Then it handles ALRM for the same reason. */
const cleansUp = ['HUP', 'TERM'] as const
/** Nobody handles these one by one but to handle all (bash's sig.c, openssl's ui_openssl.c, vim's os_unix.c). */
const ofAll = ['XCPU', 'XFSZ', 'VTALRM', 'PROF', 'SYS'] as const
const enoughOfAll = 3

/** What a process has handlers for, of all that somebody may send. */
export function handlersOf(process: Pick<Process, 'name' | 'program' | 'threads' | 'catches'>): Handlers {
  const caught = process.catches ?? []
  const { reserved = [], shared = [] } = runtimeOf(process) ?? {}
  const isNode = process.threads.some(thread => thread.name === ofNode.signals)
  const left = caught.filter(name => !reserved.includes(name) && !(isNode && name === 'USR1'))
  const isAll = ofAll.filter(name => caught.includes(name)).length >= enoughOfAll
  const isCleaning = cleansUp.every(name => caught.includes(name))
  const isShared = (name: string): boolean =>
    shared.includes(name) || isAll || (isCleaning && name === 'ALRM')
  const events = left.filter(name => kindOf(name) === 'event')
  return {
    events: events.filter(name => !isShared(name)),
    shared: events.filter(isShared),
    ends: left.filter(name => kindOf(name) === 'end' && !shared.includes(name)),
  }
}
