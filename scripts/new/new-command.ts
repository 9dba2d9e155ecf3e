/** A new command: its flags in a group, what it does in a file of its own. */
import { camel, capital, type Scaffold } from './scaffold.ts'

/** Each is a file of `src/cli/groups`. */
export const groups = ['session', 'run', 'terminal', 'machine'] as const

export function newCommand(name: string, group: (typeof groups)[number]): Scaffold {
  const run = `${camel(name)}Command`
  const flags = `${capital(camel(name))}Flags`
  const file = `src/cli/commands/${name}-command.ts`
  return {
    files: {
      [file]: `/** \`lull ${name}\`: TODO what it does, in one sentence. */
import { jsonLine, lines, print } from '../ui/print.ts'

export type ${flags} = { readonly json?: boolean }

export async function ${run}({ json = false }: ${flags}): Promise<void> {
  const row = { command: '${name}' }
  print(json ? jsonLine(row) : lines('there is nothing to tell yet'))
}
`,
      [`test/cli/${name}.real.test.ts`]: `/** \`lull ${name}\`, as people call it. */
import { expect, test } from 'vitest'
import { lull } from '../support/lull.ts'

test('as a sentence, and as JSON', async () => {
  expect(await lull(['${name}'])).toMatchObject({ code: 0, stderr: '' })
  const { code, stdout } = await lull(['${name}', '--json'])
  expect({ code, row: JSON.parse(stdout) }).toEqual({ code: 0, row: { command: '${name}' } })
})

test('a flag that is not known is one sentence', async () => {
  const { code, stderr } = await lull(['${name}', '--nope'])
  expect({ code, lines: stderr.trim().split('\\n').length }).toEqual({ code: 2, lines: 1 })
})
`,
    },
    edits: [
      {
        file: `src/cli/groups/${group}-group.ts`,
        at: /\n\}\n$/,
        where: 'before',
        text: `

  lull
    .command('${name}')
    .description('TODO what it does')
    .option('--json', 'JSON output, one object')
    .action(async flags => (await import('../commands/${name}-command.ts')).${run}(flags))`,
      },
      {
        file: 'src/cli/help.ts',
        at: /\n\}\n$/,
        where: 'before',
        text: `\n  ${/^\w+$/.test(name) ? name : `'${name}'`}: ['lull ${name}'],`,
      },
      {
        file: 'docs/cli.md',
        at: /\n\nA duration is /,
        where: 'before',
        text: `\n| \`lull ${name} [--json]\` | TODO what it does |`,
      },
    ],
    left: [
      `say what it does: each TODO in ${file}, src/cli/groups/${group}-group.ts and docs/cli.md; and its examples, in src/cli/help.ts`,
      'a face prints and never decides: what it decides goes into the room that it is about',
      'its exit codes, where they are others than 0 and 2: src/core/exit-codes.ts and docs/exit-codes.md',
      'a line in CHANGELOG.md',
    ],
  }
}
