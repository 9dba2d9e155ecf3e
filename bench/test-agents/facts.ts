/** What differs between the CLIs in these plays: commands, menus, screens, and what can't be played with which. */
import type { LabCli } from '../../scripts/setup-lab.ts'
import type { PlayName } from './play-names.ts'

type Facts = {
  readonly compact: string
  /** A menu that a person opens for themselves, and what it shows. */
  readonly menu: { readonly command: string; readonly shows: RegExp }
  /** Where it asks for nothing otherwise: by which key it begins to, and no longer does. */
  readonly asking?: { readonly key: string; readonly on: RegExp; readonly off: RegExp }
  readonly plan?: {
    /** The key that goes round the modes, until this one plans. */
    readonly key: string
    readonly on: RegExp
    readonly prompt: string
    readonly shows: RegExp
    /** The option that goes on as before. */
    readonly choice: string
  }
  /** It goes on to take commands for its shell, until this key. */
  readonly leavesShell?: string
  /** It asks before it delegates: what shows that its subagent asks, after that. */
  readonly subagentAsks?: RegExp
  /** Why it isn't played with hooks. */
  readonly noHooks?: string
  /** Situation → why it isn't played. */
  readonly without: Partial<Readonly<Record<PlayName, string>>>
}

const noBackground = 'it has no tool for work in the background'

/** Those whose hooks and files lull reads; of the others it reads screens alone (bench/screens). */
export type PlayedCli = Exclude<LabCli, 'kimi' | 'grok' | 'droid' | 'kilo' | 'auggie' | 'cn' | 'nanocoder'>

export const facts: Readonly<Record<PlayedCli, Facts>> = {
  claude: {
    compact: '/compact',
    menu: { command: '/model', shows: /Select model/i },
    without: {
      plan: 'its tool to leave the plan mode is deferred: the scripted model would have to search for it first',
    },
  },
  codex: {
    compact: '/compact',
    menu: { command: '/model', shows: /Select Model/i },
    plan: {
      key: 'BTab',
      on: /Plan mode/,
      prompt: '[[proposal]] please',
      shows: /Implement this plan\?/,
      choice: 'Yes, implement this plan',
    },
    without: {
      'subagent that asks': 'its subagents are tools of a namespace, which the scripted model does not speak',
    },
  },
  opencode: {
    compact: '/compact',
    menu: { command: '/models', shows: /Select model/i },
    noHooks: 'its screen stays empty for a minute where a plugin is installed and no registry can be reached',
    without: {
      plan: 'its plan mode ends without a dialog, unless an experiment is switched on',
      'background work': noBackground,
    },
  },
  gemini: {
    compact: '/compress',
    leavesShell: 'Escape',
    menu: { command: '/theme', shows: /Select Theme/i },
    without: {
      plan: 'its plan is a file in a folder of its own, which the scripted model does not know',
    },
  },
  qwen: {
    compact: '/compress',
    leavesShell: 'Escape',
    menu: { command: '/theme', shows: /Select Theme/i },
    plan: {
      key: 'BTab',
      on: /plan mode/i,
      prompt: '[[plan]] please',
      shows: /Would you like to proceed\?/,
      choice: 'Yes, and manually approve edits',
    },
    subagentAsks: /Approval requested by/,
    without: {},
  },
  copilot: {
    compact: '/compact',
    menu: { command: '/model', shows: /Select Model|Choose/i },
    plan: {
      key: 'BTab',
      on: /· Plan ·/,
      prompt: '[[plan]] please',
      shows: /Plan Ready for Review/,
      choice: '2',
    },
    without: {},
  },
  pi: {
    compact: '/compact',
    menu: { command: '/settings', shows: /Auto-compact/i },
    without: {
      'permission, then a long tool': 'it asks for no permissions',
      question: 'it has no tool for questions',
      plan: 'it has no plan mode',
      'background work': noBackground,
      'subagent that asks': 'it has no subagents and asks for nothing',
    },
  },
  cline: {
    compact: '/compact',
    menu: { command: '/settings', shows: /Settings/i },
    asking: { key: 'BTab', on: /Auto-approve all disabled/, off: /Auto-approve all enabled/ },
    without: {
      'command of its person': 'what begins with ! is a prompt to it',
      plan: 'its plan mode ends without a dialog',
      'background work': noBackground,
      'subagent that asks': 'what its subagent would have to ask for fails: it asks for the delegation alone',
      resume: 'it resumes by a session’s id alone',
    },
  },
}

export const playedClis = Object.keys(facts) as readonly PlayedCli[]
