/**
 * The scenarios: one for each shell, and those of `scenarios.jsonl`, one a line. Labels were written down before any verdict
 * was seen. Those with `isUnseen` were written after the rules stood, and run against them once before anything was
 * changed: 2026-11-22, see docs/benchmarks.md.
 */
import { rowsOf } from '../rows.ts'
import type { Scenario } from './scenario.ts'
import { shells } from './shells.ts'

/** At the shell's first prompt. A shell that reads a command runs it. */
const atPrompt = (Object.keys(shells) as (keyof typeof shells)[])
  .filter(name => name !== 'zsh arrow')
  .map(
    (name): Scenario => ({
      ...{ name, group: 'ready', shell: name, truth: ['idle/shell'] },
      proof: { does: [': >{T}/proof'], seen: [{ file: 'proof' }] },
    }),
  )

/** In the file a pattern is text: `/…/m`. */
function patternIn(key: string, value: unknown): unknown {
  if (key !== 'shows' && key !== 'hides') return value
  const [, source = '', flags] = /^\/(.*)\/(\w*)$/s.exec(value as string) ?? []
  return new RegExp(source, flags)
}

export const scenarios: readonly Scenario[] = [
  ...atPrompt,
  ...rowsOf<Scenario>(new URL('scenarios.jsonl', import.meta.url), patternIn),
]
