/**
 * Every scenario of `npm run bench:terminal` as it was seen once by who knew nothing of the pane before: Debian 12,
 * Linux 6.18, tmux 3.3a.
 */
import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { classify } from '../../src/terminal/classify/classify.ts'
import type { Learned, Reference } from '../../src/terminal/classify/learned.ts'
import { nothingLearned } from '../../src/terminal/classify/learned.ts'
import { shellOf } from '../../src/terminal/classify/shells.ts'
import type { Probe } from '../../src/terminal/probe/probed.ts'
import { word } from '../support/probes.ts'

type Scenario = { readonly scenario: string; readonly truth: readonly string[]; readonly probe: Probe }
const scenarios = readFileSync(new URL('../snapshots/terminal.jsonl', import.meta.url), 'utf8')
  .split('\n')
  .filter(line => line !== '')
  .map(line => JSON.parse(line) as Scenario)

/** How deep the shells of that machine read at their prompts, in keys (raw) and in lines. */
const depths: Readonly<Record<string, Omit<Reference, 'pid'>>> = {
  'bash keys': { canonical: false, call: 'pselect6', depth: 5344 },
  'bash lines': { canonical: true, call: 'read', depth: 4808 },
  'dash lines': { canonical: true, call: 'read', depth: 664 },
  'zsh keys': { canonical: false, call: 'read', depth: 3096 },
  'fish keys': { canonical: false, call: 'poll', depth: 7456 },
  'ksh keys': { canonical: false, call: 'pselect6', depth: 13_696 },
  'mksh keys': { canonical: false, call: 'read', depth: 1752 },
  'ash keys': { canonical: false, call: 'poll', depth: 1592 },
}

function learnedOf({ processes, inner }: Probe): Learned {
  const references = processes.flatMap(process =>
    ['keys', 'lines'].flatMap(how => {
      const known = depths[`${shellOf(process)?.name} ${how}`]
      return known ? [{ pid: process.pid, ...known }] : []
    }),
  )
  return { ...nothingLearned, references: [...references, ...(inner ? learnedOf(inner).references : [])] }
}

const isIdle = (said: string): boolean => said.startsWith('idle')

describe('each scenario', () => {
  test.each(scenarios.map(one => [one.scenario, one] as const))('%s', (_, { truth, probe }) => {
    expect(truth).toContain(word(classify(probe, learnedOf(probe))))
  })
})

describe('where less is known, nothing that is not ready is called so', () => {
  const unready = scenarios.filter(({ truth }) => !truth.some(isIdle))
  const falseReady = (poorer: (probe: Probe) => Probe, learned = nothingLearned) =>
    unready
      .filter(({ probe }) => {
        const verdict = classify(poorer(probe), learned)
        return isIdle(word(verdict)) && verdict.observeAgainIn === undefined
      })
      .map(({ scenario }) => scenario)

  test('no shell was measured', () => {
    expect(falseReady(probe => probe)).toEqual([])
  })
  test('there is no screen', () => {
    expect(falseReady(({ screen: _, ...probe }) => probe)).toEqual([])
  })
  test('nobody watched the output', () => {
    expect(falseReady(({ stream: _, quiet: __, ...probe }) => probe)).toEqual([])
  })
  test('it has been quiet for long', () => {
    expect(falseReady(probe => ({ ...probe, quiet: 60_000 }))).toEqual([])
  })
  test('the depth is hidden', () => {
    const withoutDepth = (probe: Probe): Probe => ({
      ...probe,
      processes: probe.processes.map(process => ({
        ...process,
        calls: process.calls.map(call => {
          if (call.type !== 'reads') return call
          const { depth: _, ...rest } = call
          return rest
        }),
      })),
    })
    expect(falseReady(withoutDepth)).toEqual([])
  })
  test('all of a process is hidden', () => {
    const hidden = (probe: Probe): Probe => ({
      ...probe,
      processes: probe.processes.map(({ readChars: _, ...process }) => ({
        ...process,
        calls: [{ type: 'hidden' }],
      })),
    })
    expect(falseReady(hidden)).toEqual([])
  })
})
