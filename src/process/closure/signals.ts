/**
 * Which signals excuse a wait, and how far. Where the program may wait for a handler to run, it is likely stuck at most; a signal
 * that only ends the program leaves it stuck. Meanings and defaults are those of signal(7).
 */

/**
 * event: carries news for a program (a timer, a user's or a kernel's notice). end: ends a program, or stops it, by a word
 * of somebody. own: comes of what the program itself does, or of its children, who stand in the graph: none reaches a sleeper.
 */
export type SignalKind = 'event' | 'end' | 'own'

type Row = readonly [kind: SignalKind, why: string]

export const signals: Readonly<Record<string, Row>> = {
  ALRM: ['event', 'setitimer(2), alarm(2): a real timer'],
  USR1: ['event', 'signal(7): for the program to define'],
  USR2: ['event', 'signal(7): for the program to define'],
  IO: ['event', 'fcntl(2), O_ASYNC: a file is ready'],
  URG: ['event', 'socket(7): urgent data'],
  PWR: ['event', 'signal(7): power fails'],
  WINCH: ['event', 'ioctl_tty(2): a terminal has another size'],
  CONT: ['event', 'signal(7): go on'],
  HUP: ['end', 'signal(7): the terminal is gone; daemons read their settings anew'],
  INT: ['end', 'signal(7): Ctrl+C'],
  QUIT: ['end', 'signal(7): Ctrl+\\'],
  TERM: ['end', 'signal(7): the word to end'],
  TSTP: ['end', 'signal(7): Ctrl+Z'],
  TTIN: ['end', 'signal(7): reads in the background'],
  TTOU: ['end', 'signal(7): writes in the background'],
  ABRT: ['own', 'abort(3)'],
  BUS: ['own', 'signal(7): bad memory access'],
  FPE: ['own', 'signal(7): bad arithmetic'],
  ILL: ['own', 'signal(7): bad instruction'],
  SEGV: ['own', 'signal(7): bad memory access'],
  STKFLT: ['own', 'signal(7): unused'],
  SYS: ['own', 'signal(7): bad system call'],
  TRAP: ['own', 'signal(7): a breakpoint'],
  PIPE: ['own', 'signal(7): its own write'],
  XCPU: ['own', 'setrlimit(2): needs a processor'],
  XFSZ: ['own', 'setrlimit(2): its own write'],
  VTALRM: ['own', 'setitimer(2): counts processor time, which a sleeper does not use'],
  PROF: ['own', 'setitimer(2): counts processor time, which a sleeper does not use'],
  CHLD: ['event', 'signal(7): a child; of a program that has none, somebody sends it'],
}

/** Real-time signals (`RT34` to `RT64`) have the meaning that a program gives them; glibc keeps 32 and 33 (signal(7), nptl(7)). */
export const kindOf = (name: string): SignalKind =>
  signals[name]?.[0] ?? (name === 'RT32' || name === 'RT33' ? 'own' : 'event')
