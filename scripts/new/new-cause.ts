/** A new cause: what a process tree does or waits for, with the rule that finds it. */
import { camel, type Scaffold } from './scaffold.ts'

export function newCause(name: string): Scaffold {
  const rule = camel(name)
  const file = `rule-${name.replaceAll('_', '-')}`
  return {
    files: {
      [`src/process/closure/${file}.ts`]: `/** ${name}: TODO by what it is seen, and what could still move a tree that is held by it. */
import type { ClosureRule } from './finding.ts'

/** It applies to no tree yet: \`{ cause: '${name}', proof: 'inferred', isBlocked: false }\` is what it would find. */
export const ${rule}: ClosureRule = () => undefined
`,
      [`test/process/closure-${name.replaceAll('_', '-')}.test.ts`]: `/** ${name}: trees that it is the cause of, and trees that only look so. */
import { expect, test } from 'vitest'
import { causes } from '../../src/core/explain/explain-health.ts'
import { diagnose } from '../../src/process/closure/diagnose.ts'
import { pairOf, read, rootPid, tree } from '../support/process-tree.ts'

test('it has words', () => expect(causes.${name}).not.toBe(''))

test('a tree that reads its input is not held by it', () => {
  expect(diagnose(pairOf([tree(rootPid, { call: read(0) })])).cause).not.toBe('${name}')
})
`,
    },
    edits: [
      {
        file: 'src/core/state.ts',
        at: /export type ProcessCause =(?:\n {2}[|/][^\n]*)*?(?=\n {2}\| 'unknown')/,
        where: 'after',
        text: `\n  /** TODO */\n  | '${name}'`,
      },
      {
        file: 'src/core/explain/explain-health.ts',
        at: /\n {2}unknown: '/,
        where: 'before',
        text: `\n  ${name}: 'it is held by ${name.replaceAll('_', ' ')}',`,
      },
      {
        file: 'src/process/closure/closure-rules.ts',
        at: /import \{[^}]*\} from '\.\/rules-closed\.ts'\n/,
        where: 'before',
        text: `import { ${rule} } from './${file}.ts'\n`,
      },
      {
        file: 'src/process/closure/closure-rules.ts',
        at: /\n {2}stdin,\n/,
        where: 'before',
        text: `\n  ${rule},`,
      },
    ],
    left: [
      `write the rule in src/process/closure/${file}.ts, and trees that it must and must not find in its test`,
      'move it in src/process/closure/closure-rules.ts to where it belongs: work before waits, waits that end before those that do not',
      'say in src/run/step/health-step.ts whether it excuses silence, and its words in src/core/explain/explain-health.ts',
      'a program that is held so in bench/process/programs, and its recorded trees (bench/process.ts --record) in test/snapshots',
      'a row in docs/process.md',
    ],
  }
}
