/** Questions that read keys, often beside a running loop: the prompt kits of JavaScript, Python, Ruby, Go and Rust, and boxes. */
import type { Says, Scenario, Step } from '../scenario.ts'
import { press, shows } from './repl.ts'

const line: readonly Says[] = ['waiting/input']
const yesNo: readonly Says[] = ['waiting/confirmation', 'waiting/input', 'waiting/keypress']
const key: readonly Says[] = ['waiting/keypress', 'waiting/confirmation']
const password: readonly Says[] = ['waiting/password']
/** A list takes arrows and Enter: it asks, by whatever name. */
const choice: readonly Says[] = [
  'waiting/dialog',
  'waiting/keypress',
  'waiting/input',
  'waiting/confirmation',
]

const typed: readonly Step[] = [{ text: 'yes' }, press('Enter')]
const entered: readonly Step[] = [press('Enter')]
/** What each kind is, what answers it, and how that shows. */
const kinds: Readonly<Record<string, readonly [readonly Says[], readonly Step[], RegExp]>> = {
  text: [line, typed, /^got:yes/m],
  box: [[...choice, 'waiting/editor'], [...typed, press('Enter')], /^got:yes/m],
  select: [choice, entered, /^got:(?:one|0)/m],
  checkbox: [choice, entered, /^got:/m],
  search: [choice, entered, /^got:one/m],
  confirm: [yesNo, [{ text: 'y' }, press('Enter')], /^got: ?(?:true|True|yes)/m],
  toggle: [choice, [{ text: 'y' }, press('Enter')], /^got:/m],
  number: [[...line], [{ text: '5' }, press('Enter')], /^got:5/m],
  password: [password, typed, /^got:yes/m],
  masked: [password, typed, /^got:yes/m],
  'masked box': [['waiting/password', 'waiting/dialog'], typed, /^got:yes/m],
  key: [key, [{ text: 'a' }], /^got:a/m],
  pause: [key, [{ text: 'a' }], /^got:/m],
  dialog: [[...choice, 'waiting/editor'], entered, /^got:/m],
  radio: [[...choice, 'waiting/editor'], [press('Tab'), press('Enter')], /^got:/m],
}

type Kit = {
  readonly name: string
  readonly needs?: Scenario['needs']
  readonly opens: (kind: string) => string
  readonly kinds: readonly string[]
  readonly at?: RegExp
}

const node = (name: string, kinds: readonly string[]): Kit => ({
  name,
  needs: ['kits'],
  opens: kind => `{node} {programs}/kit.mjs {kits} ${name} ${kind}`,
  kinds,
})

const kits: readonly Kit[] = [
  node('inquirer', ['text', 'select', 'confirm', 'checkbox', 'password', 'masked', 'search']),
  node('enquirer', ['text', 'select', 'confirm', 'masked', 'password']),
  node('prompts', ['text', 'select', 'confirm', 'toggle', 'masked', 'password', 'number']),
  node('clack', ['text', 'select', 'confirm', 'masked']),
  node('readline-sync', ['text', 'password', 'key']),
  node('prompt-sync', ['text', 'masked']),
  node('read', ['text', 'password']),
  {
    ...node('inquirer', ['text', 'select', 'confirm', 'masked']),
    name: 'inquirer beside a timer',
    opens: kind => `{node} {programs}/kit.mjs {kits} inquirer ${kind} spins`,
  },
  {
    ...node('clack', ['text', 'select']),
    name: 'clack beside a timer',
    opens: kind => `{node} {programs}/kit.mjs {kits} clack ${kind} spins`,
  },
  {
    name: 'prompt_toolkit',
    needs: ['python3-prompt-toolkit'],
    opens: kind => `{python} {programs}/kit.py ptk ${kind}`,
    kinds: ['text', 'masked', 'dialog', 'radio', 'box'],
  },
  {
    name: 'rich',
    needs: ['python3-rich'],
    opens: kind => `{python} {programs}/kit.py rich ${kind}`,
    kinds: ['confirm'],
  },
  {
    name: 'click',
    needs: ['python3-click'],
    opens: kind => `{python} {programs}/kit.py click ${kind}`,
    kinds: ['text', 'confirm', 'password', 'pause'],
  },
  {
    name: 'a box that hides its echo',
    opens: kind => `{python} {programs}/kit.py own ${kind}`,
    kinds: ['password', 'masked'],
    at: /Token:/,
  },
  {
    name: 'tty-prompt',
    needs: ['ruby-tty-prompt'],
    opens: kind => `ruby {programs}/kit.rb ${kind}`,
    kinds: ['text', 'select', 'confirm', 'masked', 'key'],
    at: /Pick\?|Press any key|password\?/,
  },
  {
    name: 'highline',
    needs: ['ruby-highline'],
    opens: () => 'ruby {programs}/kit.rb highline',
    kinds: ['password'],
  },
  {
    name: 'survey',
    needs: ['go', 'go-survey', 'go-promptui'],
    opens: kind => `{programs}/kit-go ${kind}`,
    kinds: ['text', 'select', 'confirm', 'masked'],
  },
  {
    name: 'promptui',
    needs: ['go', 'go-survey', 'go-promptui'],
    opens: kind => `{programs}/kit-go ui-${kind}`,
    kinds: ['text', 'select', 'masked'],
  },
  {
    name: 'dialoguer',
    needs: ['rust'],
    opens: kind => `{programs}/lines-rust --ask ${kind}`,
    kinds: ['text', 'select', 'confirm'],
    at: /Pick|Go on\?|Name/,
  },
  {
    name: 'gum-like fzf',
    needs: ['fzf'],
    opens: () => "printf 'one\\ntwo\\n' | fzf --height 5 --prompt 'Pick: ' | sed s/^/got:/",
    kinds: ['select'],
    at: /Pick:/,
  },
  {
    name: 'whiptail menu',
    needs: ['whiptail'],
    opens: () => 'echo got:$(whiptail --menu Pick 12 40 3 one 1 two 2 3>&1 1>&2 2>&3)',
    kinds: ['select'],
  },
  {
    name: 'whiptail password',
    needs: ['whiptail'],
    opens: () => 'echo got:$(whiptail --passwordbox Password 10 40 3>&1 1>&2 2>&3)',
    kinds: ['masked box'],
  },
  {
    name: 'dialog menu',
    needs: ['dialog'],
    opens: () => 'x=$(dialog --menu Pick 12 40 3 one 1 two 2 3>&1 1>&2 2>&3); clear; echo got:$x',
    kinds: ['select'],
  },
  {
    name: 'systemd-ask-password',
    needs: ['systemd-ask-password', 'root'],
    opens: () => "echo got:$(systemd-ask-password --timeout=0 'Password:')",
    kinds: ['password'],
  },
]

export const asked: readonly Scenario[] = kits.flatMap(
  ({
    name,
    needs = [],
    opens,
    kinds: some,
    at = /Pick|Go on\?|Name\?|Press any key|[Pp]ass(?:word|phrase)/,
  }) =>
    some.map((kind): Scenario => {
      const [truth, does, seen] = kinds[kind] ?? [[], [], /./]
      return {
        name: `${name}: ${kind}`,
        group: 'prompt kit',
        shell: 'bash',
        needs,
        // The command's own words stand in the line above it.
        does: ['clear', `${opens(kind)}`],
        at: [shows(new RegExp(`\\n(?:.*\\n)*.*(?:${at.source})`))],
        truth,
        proof: { does, seen: [shows(seen)] },
        isUnseen: true,
      }
    }),
)
