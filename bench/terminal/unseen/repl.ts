/**
 * A REPL or shell as a row, and the situations that are made of it. What it is in each is known from its own manual, and
 * shown by its proof: a product that it computes, an answer that it got, an end that it has not come to.
 */

import type { Tool } from '../../../scripts/setup-bench.ts'
import type { Says, Scenario, Sign, Step } from '../scenario.ts'

/** What is typed, what is seen then, what is typed for the proof, and what is seen of it. */
type Turn = readonly [line: string, at: RegExp, proof: string | readonly Step[], seen: RegExp]

export type Repl = {
  readonly name: string
  readonly needs: readonly Tool[]
  readonly opens: string
  /** The screen's last line once it reads. */
  readonly prompt: RegExp
  /** Typed after it was opened, until the prompt stands there: the banner's questions, settings. */
  readonly begins?: readonly Step[]
  readonly isShell?: boolean
  /** It shows no prompt, so nobody can tell a command's end from a question. */
  readonly isMute?: boolean
  /** Two lines, and what is seen once each was obeyed. */
  readonly first: readonly [string, RegExp]
  readonly second: readonly [string, RegExp]
  /** The second line can't be typed in two halves. */
  readonly isKeys?: boolean
  /** A line that is not complete, and the rest. */
  readonly more?: Turn
  /** A line that prints `now`, takes a minute, and would print `over`. */
  readonly busy?: string
  /** The same, and its last output looks like the REPL's own prompt. */
  readonly looks?: string
  /** A line whose program asks, in words of its own, or behind the REPL's own prompt (`alike`). */
  readonly asks?: Turn
  readonly alike?: Turn
  /** The prompt of a mode of its own: a debugger, a transaction. It obeys there as well. */
  readonly mode?: Turn
}

export const ready: readonly Says[] = ['idle/shell', 'idle/repl']
export const input: readonly Says[] = ['waiting/input']
/** Whatever is asked in a line. */
export const asking: readonly Says[] = ['waiting/input', 'waiting/confirmation']
export const working: readonly Says[] = ['working']
export const shows = (pattern: RegExp): Sign => ({ shows: pattern })
/** The screen's last line that is not blank, whole. */
export const last = (line: RegExp): Sign => shows(new RegExp(`(?:^|\\n)${line.source}\\s*$`, line.flags))
/** The last lines, blank ones among them. */
export const ends = (text: RegExp): Sign => shows(new RegExp(`${text.source}\\s*$`))
export const press = (...keys: readonly string[]): Step => ({ keys })
export const isNotOver: Scenario['proof'] = { seen: [{ hides: /^over/m }] }

/** Lines in which a calculator multiplies: both results are nowhere else on the screen. */
export const product = (line: (a: number, b: number) => string): Pick<Repl, 'first' | 'second'> => ({
  first: [line(71, 71), /\b5041\b/],
  second: [line(73, 73), /\b5329\b/],
})

/** Any text that it repeats. */
export const echo = (line: (text: string) => string): Pick<Repl, 'first' | 'second'> => ({
  first: [line('fst'), /^fst\b/m],
  second: [line('snd'), /^snd\b/m],
})

const either = (text: RegExp): RegExp => new RegExp(text.source, 'm')

export function situationsOf(repl: Repl): Scenario[] {
  const { name, needs, opens, prompt, begins = [], isShell, isMute, first, second } = repl
  const idle: readonly Says[] = isShell ? ready : ['idle/repl']
  const open: Step[] = [opens, last(prompt), ...begins]
  const base = { shell: 'bash', needs, does: open, isUnseen: true } as const
  const obeys: Scenario['proof'] = { does: [second[0]], seen: [shows(either(second[1]))] }
  const turn = (
    [line, at, proof, seen]: Turn,
    group: Scenario['group'],
    what: string,
    truth: readonly Says[],
    inferred: readonly Says[] = [],
  ): Scenario => ({
    ...base,
    name: `${name}: ${what}`,
    group,
    does: [...open, line],
    at: [ends(at)],
    truth,
    inferred,
    proof: { does: typeof proof === 'string' ? [proof] : proof, seen: [shows(either(seen))] },
  })
  const busy = (line: string, what: string, group: Scenario['group'], at: readonly Sign[]): Scenario => ({
    ...base,
    name: `${name}: ${what}`,
    group,
    does: [...open, line],
    at: [shows(/^now/m), ...at],
    truth: working,
    proof: isNotOver,
  })
  const asked: readonly Says[] = isMute ? [...idle, 'waiting/input'] : idle
  const [begun, rest] = [second[0].slice(0, -3), second[0].slice(-3)]
  return [
    // Without a prompt nothing tells that it has started.
    ...(isMute
      ? []
      : [
          {
            ...base,
            name: `${name}: fresh`,
            group: 'fresh',
            at: [],
            truth: [...idle, 'waiting/input'],
            proof: obeys,
          } satisfies Scenario,
        ]),
    {
      ...base,
      name: `${name}: after a command`,
      group: 'after a command',
      does: [...open, first[0]],
      at: [shows(either(first[1])), last(prompt)],
      truth: asked,
      proof: obeys,
    },
    ...(repl.isKeys
      ? []
      : [
          {
            ...base,
            name: `${name}: half a line`,
            group: 'half a line',
            does: [...open, first[0], shows(either(first[1])), last(prompt), { text: begun }],
            // A right prompt may stand behind it.
            at: [shows(new RegExp(`${escaped(begun).source}(?:\\s{2,}.*)?\\s*$`))],
            truth: [...asked, 'waiting/input'],
            proof: { does: [rest], seen: obeys.seen },
          } satisfies Scenario,
        ]),
    ...(repl.mode ? [turn(repl.mode, 'after a command', 'in a mode of its own', asked, [])] : []),
    ...(repl.more ? [turn(repl.more, 'continuation', 'a line that is not complete', input)] : []),
    ...(repl.busy ? [busy(repl.busy, 'runs something', 'running', [])] : []),
    ...(repl.looks
      ? [busy(repl.looks, 'runs something behind its prompt', 'looks ready', [last(prompt)])]
      : []),
    ...(repl.asks ? [turn(repl.asks, 'question', 'its program asks', asking)] : []),
    ...(repl.alike
      ? [turn(repl.alike, 'looks ready', 'its program asks behind its prompt', [...asking, 'unknown'], idle)]
      : []),
  ]
}

const escaped = (text: string): RegExp => new RegExp(text.trimEnd().replace(/[\\^$.*+?()[\]{}|]/g, '\\$&'))
