/** Whether a program is a REPL that takes instructions, by its row and its arguments. Pure. */
import type { TerminalProcess } from '../../probe/probed.ts'
import { programName, stemOf } from '../shells.ts'
import { type Repl, replRows } from './repl-rows.ts'

/**
 * The row of this program, undefined for others; of a script that it runs, only what may be a prompt there.
 * @param own a person's own rows, which come first
 */
export function replOf(process: TerminalProcess, own: readonly Repl[] = []): Repl | undefined {
  const rowOf = (name: string): Repl | undefined =>
    [...own, ...replRows].find(({ programs }) => programs.includes(name))
  const name = programName(process)
  // Some give their process their own name: `irb`, which is ruby.
  const repl = rowOf(name) ?? rowOf(stemOf(process.name))
  const script = scriptOf(process, repl, interpreters.has(name) && rowOf(name) === repl)
  if (script === undefined) return repl
  // What an interpreter runs may be a REPL by itself: `ruby /usr/bin/irb`, `python -m IPython`.
  const other = rowOf(stemOf(script).toLowerCase())
  if (other && other !== repl && !process.isFed) return other
  return (
    repl?.inScripts && {
      programs: repl.programs,
      prompt: repl.inScripts,
      source: repl.source,
      isOfScript: true,
    }
  )
}

/** What is typed at its prompt is a program, which may ask as the REPL itself does. */
export const runsPrograms = (process: TerminalProcess, repl: Repl | undefined): boolean =>
  interpreters.has(programName(process)) || (repl?.arguments !== undefined && repl.arguments !== 'any')

/** Their arguments may name a script: then their own prompt is not shown. */
const interpreters: ReadonlySet<string> = new Set([
  'python',
  'pypy',
  'node',
  'deno',
  'bun',
  'R',
  'lua',
  'luajit',
  'ruby',
  'perl',
  'php',
  'julia',
  'ghc',
  'ghci',
  'racket',
])

/** What it runs, undefined where it takes instructions from the terminal. */
function scriptOf(process: TerminalProcess, repl: Repl | undefined, interprets: boolean): string | undefined {
  const { args, isFed } = process
  // Instructions come from a file or a pipe, and the terminal is asked for something else.
  if (isFed) return 'stdin'
  if (repl?.arguments === 'any') return undefined
  if (repl?.arguments) return firstOther(argumentsOf(args, repl.programs), repl.arguments)
  return interprets ? scriptIn(args.slice(1)) : undefined
}

/** Behind the word that names it: `ocamlrun /usr/bin/ocaml x.ml`. */
function argumentsOf(args: readonly string[], programs: readonly string[]): readonly string[] {
  const at = args.findIndex(word => programs.includes(stemOf(word)))
  return args.slice(Math.max(at, 0) + 1)
}

/** The first word that is none of those that are allowed, written as in a manual: `-p PATH` takes a word. */
function firstOther(words: readonly string[], allowed: readonly string[]): string | undefined {
  const taking = new Set(allowed.flatMap(option => (/ \S/.exec(option) ? (option.split(' ')[0] ?? []) : [])))
  for (let at = 0; at < words.length; at++) {
    const word = words[at] as string
    if (word === '' || allowed.includes(word)) continue
    if (taking.has(word)) at++
    else if (!taking.has(word.slice(0, Math.max(0, word.indexOf('='))))) return word
  }
  return undefined
}

/** Options that take the next word as their argument: python(1), node(1). */
const takesWord: ReadonlySet<string> = new Set(['-X', '-W', '-r', '--require', '--import', '-C'])

/** A script, a module or an expression. Without `-i` an interpreter does not show its own prompt then. */
function scriptIn(words: readonly string[]): string | undefined {
  if (words.some(word => /^-(?=[a-zA-Z]+$).*i|^--interactive$/.test(word))) return undefined
  const own = words.filter((word, at) => word !== '' && !takesWord.has(words[at - 1] ?? ''))
  if (own[0] === 'repl') return undefined
  const at = own.findIndex(
    word => !word.startsWith('-') || /^-[a-zA-Z]*[cepm]$|^--(?:eval|print)\b/.test(word),
  )
  if (at < 0) return undefined
  return own[at] === '-m' ? (own[at + 1] ?? '') : own[at]
}

/** A program of no row that puts its own name before the sign: `mytool> `. Others may as well ask something. */
export function isNamedPrompt(text: string, process: TerminalProcess): boolean {
  const [, word] = /^\(?([\w.-]+)(?:[@:([][^<>]{0,40})?\)?(?:> |\) )$/.exec(text) ?? []
  return word !== undefined && word.toLowerCase() === programName(process).toLowerCase()
}
