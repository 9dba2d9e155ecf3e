/** REPLs that nobody could have listed: written for this bench, with odd prompts, one for each way to read lines. */

import type { Tool } from '../../../scripts/setup-bench.ts'
import type { Scenario } from '../scenario.ts'
import { ends, isNotOver, type Repl, shows } from './repl.ts'

const quoted = (text: string): string => text.trimEnd().replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&')

type Shape = {
  readonly how: string
  readonly opens: string
  readonly needs?: readonly Tool[]
  readonly prompt: string
  readonly more: string
  readonly lacks?: readonly ('same' | 'fake' | 'ask')[]
}

const own = ({ how, opens, needs = [], prompt, more, lacks = [] }: Shape): Repl => {
  const at = quoted(prompt.split('\n').at(-1) ?? '')
  return {
    name: `own REPL, ${how}`,
    needs,
    opens: `${opens} $'${prompt.replaceAll('\n', '\\n')}' $'${more}'`,
    prompt: new RegExp(at === '' ? '(?:.*)' : at),
    isMute: at === '',
    first: ['71*71', /^5041$/],
    second: ['73*73', /^5329$/],
    more: ['more', new RegExp(`more\\n${quoted(more)}\\s*`), ['one', 'end'], /^5183$/],
    busy: 'run',
    ...(lacks.includes('fake') || at === '' ? {} : { looks: 'fake' }),
    ...(lacks.includes('ask') ? {} : { asks: ['ask', /\nName\?/, 'yes', /^got:yes/] as const }),
    ...(lacks.includes('same') || at === ''
      ? {}
      : { alike: ['same', new RegExp(`same\\n(?:.*\\n)?${at}`), 'yes', /^got:yes/] as const }),
  }
}

const shapes: readonly Shape[] = [
  { how: 'readline', needs: ['libreadline'], opens: '{programs}/editor', prompt: '⟫ ', more: '│ ' },
  {
    how: 'readline, two lines of prompt',
    needs: ['libreadline'],
    opens: '{programs}/editor',
    prompt: '~/work on main\n› ',
    more: '  2 ',
  },
  {
    how: 'readline, a prompt like a question',
    needs: ['libreadline'],
    opens: '{programs}/editor',
    prompt: 'What now? ',
    more: '… ',
  },
  {
    how: 'readline without a prompt',
    needs: ['libreadline'],
    opens: '{programs}/editor',
    prompt: '',
    more: '',
  },
  {
    how: 'libedit',
    needs: ['libedit'],
    opens: '{programs}/editor-libedit',
    prompt: 'robot:7, ',
    more: '   ',
  },
  {
    how: 'an editor of its own',
    needs: ['gcc'],
    opens: '{programs}/own-editor',
    prompt: 'ix(3)= ',
    more: '      ',
  },
  {
    how: 'an editor that stays raw',
    needs: ['gcc'],
    opens: '{programs}/own-editor-raw',
    prompt: 'db/main ~> ',
    more: '  | ',
  },
  {
    how: 'whole lines, Python',
    opens: '{python} {programs}/lines.py plain',
    prompt: 'query» ',
    more: '     » ',
  },
  { how: 'cmd of Python', opens: '{python} {programs}/lines.py cmd', prompt: '(shop) ', more: '  .. ' },
  {
    how: 'prompt_toolkit',
    needs: ['python3-prompt-toolkit'],
    opens: '{python} {programs}/lines.py ptk',
    prompt: 'λ 1 ▸ ',
    more: '  2 ▸ ',
  },
  {
    how: 'readline of Node',
    opens: '{node} {programs}/lines.js readline',
    prompt: 'db[0]: ',
    more: '    2: ',
    lacks: ['same', 'fake'],
  },
  { how: 'Reline', needs: ['ruby'], opens: 'ruby {programs}/lines.rb', prompt: 'calc ⇒ ', more: '     ⇒ ' },
  {
    how: 'Term::ReadLine',
    needs: ['perl-readline'],
    opens: 'perl {programs}/lines.pl',
    prompt: 'p5[1]~ ',
    more: '   ~ ',
  },
  {
    how: 'readline of PHP',
    needs: ['php'],
    opens: 'php {programs}/lines.php',
    prompt: 'shop:live| ',
    more: '- ',
    lacks: ['ask', 'same'],
  },
  {
    how: 'whole lines, Tcl',
    needs: ['tclsh'],
    opens: 'tclsh {programs}/lines.tcl',
    prompt: '{0} ',
    more: '{1} ',
  },
  {
    how: 'whole lines, Java',
    needs: ['java'],
    opens: 'java {programs}/Lines.java',
    prompt: 'cmd (h for help): ',
    more: '.. ',
  },
  {
    how: 'chzyer/readline of Go',
    needs: ['go', 'go-readline'],
    opens: '{programs}/lines-go',
    prompt: 'kv ⌘ ',
    more: '  ⌘⌘ ',
    lacks: ['same'],
  },
  { how: 'rustyline', needs: ['rust'], opens: '{programs}/lines-rust', prompt: '☭ ', more: '   2│ ' },
]

export const homemade: readonly Repl[] = shapes.map(own)

/** Where lull itself sends the line: it has seen the prompt that stood before. */
export const sent: readonly Scenario[] = homemade.flatMap(
  ({ name, opens, needs, prompt, isMute, more, alike }) => {
    if (isMute || !/libedit|its own|stays raw|plain|whole lines, P|Reline|rustyline/.test(name)) return []
    const base = {
      shell: 'bash',
      needs,
      // By then nobody has to guess whether it is a REPL.
      does: [opens, ends(prompt), '72*72', shows(/^5184$/m), ends(prompt)],
      isUnseen: true,
    } as const
    const proof = { does: ['73*73'], seen: [shows(/^5329$/m)] }
    return [
      {
        ...base,
        name: `${name}: sent by lull`,
        group: 'after a command',
        sends: '71*71',
        at: [shows(/^5041$/m), ends(prompt)],
        truth: ['idle/repl'],
        proof,
      },
      {
        ...base,
        name: `${name}: sent by lull, it runs`,
        group: 'looks ready',
        sends: 'fake',
        at: [shows(/^now/m), ends(prompt)],
        truth: ['working'],
        proof: isNotOver,
      },
      ...(more
        ? [
            {
              ...base,
              name: `${name}: sent by lull, not complete`,
              group: 'continuation' as const,
              sends: 'more',
              at: [ends(more[1])],
              truth: ['waiting/input'] as const,
              proof: { does: ['one', 'end'], seen: [shows(/^5183$/m)] },
            },
          ]
        : []),
      ...(alike
        ? [
            {
              ...base,
              name: `${name}: sent by lull, it asks behind its prompt`,
              group: 'looks ready' as const,
              sends: 'same',
              at: [ends(alike[1])],
              truth: ['waiting/input', 'unknown'] as const,
              inferred: ['idle/repl'] as const,
              proof: { does: ['yes'], seen: [shows(/^got:yes/m)] },
            },
          ]
        : []),
    ] satisfies Scenario[]
  },
)
