/** What the night brings, as data: what the plan types, what its person does, and what has to stand in the history of it. */
import type { LabCli } from '../../scripts/setup-lab.ts'

export type NightCli = Extract<LabCli, 'claude' | 'codex'>

export type Scene = {
  readonly name: string
  /** What the model is told to do. A number of its own follows, by which each prompt is told from any other. */
  readonly does: string
  /** Pressed before it: how a CLI comes to its plan mode. */
  readonly keys?: Readonly<Record<NightCli, readonly string[]>>
  /** Typed behind it, a command of the CLI's own. */
  readonly behind?: string
  /** What its person is asked for, as the history names it. */
  readonly asks?: 'permission' | 'question' | 'plan'
  /** Esc after some seconds, or kill -9 of the CLI. Where the prompt is typed again, it is let be. */
  readonly person?: 'interrupts' | 'kills'
  /** How the turn ends, as the history names it. */
  readonly ends?: 'interrupt' | 'limit' | 'error'
  /** What outlives its turn, s; of whom nobody can tell it. */
  readonly beside?: number
  readonly besideUntold?: Partial<Readonly<Record<NightCli, string>>>
  /** Only in the first cycle. */
  readonly isOnce?: true
  /** Played where only the screen and the judge remain. */
  readonly isBlind?: true
  /** Why a CLI is not led through it. */
  readonly without?: Partial<Readonly<Record<NightCli, string>>>
}

const codexBeside =
  'no hook, no end in its rollout and no row of its screen tells of what goes on beside its turns'

export const scenes: readonly Scene[] = [
  { name: 'a short turn', does: '[[short]]', isBlind: true },
  { name: 'a permission', does: '[[touch:one.txt]]', asks: 'permission', isBlind: true },
  { name: 'a question', does: '[[ask]]', asks: 'question', isBlind: true },
  {
    name: 'plan mode',
    does: '[[plan]]',
    keys: { claude: ['BTab', 'BTab'], codex: ['BTab'] },
    asks: 'plan',
  },
  { name: 'an interrupt', does: '[[long:15]]', person: 'interrupts', ends: 'interrupt' },
  // Once: without hooks nobody tells a crash from a clean exit, and neither is answered then.
  { name: 'a crash', does: '[[long:25]]', person: 'kills', isOnce: true },
  { name: 'a 429', does: '[[limit]]', ends: 'limit', isOnce: true },
  {
    name: 'agents in the background',
    does: '[[agent:12]]',
    beside: 12,
    besideUntold: { codex: codexBeside },
  },
  {
    name: 'a command in the background, then /clear',
    does: '[[background:12]]',
    beside: 12,
    besideUntold: { codex: codexBeside },
    behind: '/clear',
  },
  { name: 'prose that looks like dialogs', does: '[[mimic:4]]' },
  { name: 'a silent tool', does: '[[bash:5]]', isBlind: true },
  { name: 'a long answer', does: '[[long:6]]', isBlind: true },
]

export const scenesOf = (cli: NightCli, isBlind: boolean): readonly Scene[] =>
  scenes.filter(scene => scene.without?.[cli] === undefined && (!isBlind || scene.isBlind))

/** The prompt of a scene, but for its number. */
export const wordsOf = ({ name, does }: Scene): string => `${does} go on: ${name}`

const numbered = /go on: ([^#\n]+) #(\d+)#/g

export type Asked = { readonly scene: string; readonly number: number }

/** All prompts of the night that a text holds. */
export const promptsIn = (text: string): readonly Asked[] =>
  [...text.matchAll(numbered)].map(([, scene = '', number]) => ({ scene, number: Number(number) }))
