/** Shells, and whether one of them reads commands from its terminal, by its arguments. Pure. */
import type { TerminalProcess, TerminalRead, Termios } from '../probe/probed.ts'

export type Shell = { readonly name: string; readonly isInteractive: boolean }

const shells: ReadonlySet<string> = new Set([
  'bash',
  'sh',
  'dash',
  'ash',
  'hush',
  'zsh',
  'fish',
  'ksh',
  'mksh',
  'lksh',
  'oksh',
  'pdksh',
  'yash',
  'tcsh',
  'csh',
  'nu',
  'elvish',
  'xonsh',
  'pwsh',
])

/** Options that take the next word as their argument. From bash(1), zsh(1), fish(1), ksh(1). */
const takesWord: ReadonlySet<string> = new Set([
  '-o',
  '+o',
  '-O',
  '+O',
  '--rcfile',
  '--init-file',
  '--emulate',
  '-C',
  '--init-command',
  '-d',
  '-D',
])

/** The program's name without path, version and login dash: `python3.11` → `python`, `-zsh` → `zsh`, `ksh93` → `ksh`. */
export function programName({ program, args, name }: TerminalProcess): string {
  return stemOf((program ?? args[0] ?? name).split('/').at(-1) || name)
}

/** A file's name without path, version and login dash. */
export function stemOf(file: string): string {
  const base = (file.split('/').at(-1) as string).replace(/^-/, '')
  return base.replace(/[-.]?\d[\w.]*$/, '').replace(/-static$/, '') || base
}

/** Node 24 calls its threads by names of their own, the first one, too. */
const isThreadName = /^(?:node-)?MainThread$/

/** What people call it. */
export const nameOf = (process: TerminalProcess): string =>
  isThreadName.test(process.name) ? programName(process) : process.name

/** Undefined where it is no shell. */
export function shellOf(process: TerminalProcess): Shell | undefined {
  const name = programName(process)
  if (name === 'busybox') return busyboxShell(process.args)
  if (!shells.has(name)) return undefined
  return { name, isInteractive: readsCommands(process.args.slice(1)) }
}

function busyboxShell(args: readonly string[]): Shell | undefined {
  const applet = (args[0] ?? '').split('/').at(-1)?.replace(/^-/, '')
  const [name, rest] = applet === 'busybox' ? [args[1], args.slice(2)] : [applet, args.slice(1)]
  return name !== undefined && ['sh', 'ash', 'hush'].includes(name)
    ? { name: 'ash', isInteractive: readsCommands(rest) }
    : undefined
}

function readsCommands(words: readonly string[]): boolean {
  for (let index = 0; index < words.length; index++) {
    const word = words[index] as string
    if (word === '-' || word === '--') return words[index + 1] === undefined
    if (takesWord.has(word)) {
      index++
      continue
    }
    if (word === '--command' || word.startsWith('--command=')) return false
    if (/^-(?=[a-zA-Z]+$).*c/.test(word)) return false
    if (/^-(?=[a-zA-Z]+$).*s/.test(word)) return true
    if (!/^[-+]/.test(word)) return word === ''
  }
  return true
}

/**
 * Bytes that shells without a line editor ask for at their prompt, in place of the 1 or 4096 of their `read`.
 * Measured: dash 0.5.12 (BUFSIZ 8192), bash 5.2 --noediting (1024).
 */
const promptCounts: Readonly<Record<string, readonly number[]>> = {
  dash: [8192],
  sh: [8192, 1024],
  bash: [1024],
}

/** It reads as this shell does at its prompt, and at no question but those of its own line editor. */
export function readsAsAtPrompt(shell: string, termios: Termios, call: TerminalRead): boolean {
  if (termios.canonical) {
    // Where the count is hidden, the prompt has to tell; of shells that have a line editor it is a question.
    if (call.isGuessed) return shell === 'dash' || shell === 'sh'
    return call.count !== undefined && (promptCounts[shell]?.includes(call.count) ?? false)
  }
  return !termios.echo
}
