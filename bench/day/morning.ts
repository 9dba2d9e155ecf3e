/**
 * A morning of every CLI of the lab, two of each in a folder: what a new user meets. Chosen from reports of what was wrong
 * on such mornings.
 */
import type { LabCli } from '../../scripts/setup-lab.ts'
import { isMainRequest, now } from '../lab/truth.ts'
import type { Part } from './cast.ts'
import { isHere, type Launcher } from './launchers.ts'
import {
  background,
  bothAsk,
  bothWork,
  interruptTool,
  killed,
  limitTwice,
  oneInterrupted,
  oneWorks,
  permission,
  question,
  refusal,
  type Situation,
  short,
  stall,
  swapped,
} from './situations.ts'

/** Within so long of its start the first prompt has to reach the model, ms. */
const firstPromptMs = 10_000

const firstPrompt: Situation = {
  name: 'a first prompt by lull, right after the start',
  async play(a) {
    await a.quit()
    const begun = now()
    await a.start({ soon: true })
    const sent = a.lull('send', a.typed('[[short]] the first'), '--wait', '--timeout', '20s')
    const asked = await a.next(isMainRequest, 20_000, begun).catch(() => undefined)
    const { code, stdout, stderr } = await sent
    if (!asked) throw new Error(`exit ${code}: ${stdout}${stderr}`)
    a.mark({ type: 'ready', at: begun })
    a.mark({ type: 'prompted', at: asked.at, directive: '[[short]]' })
    if (asked.at - begun > firstPromptMs) throw new Error(`reached the model after ${asked.at - begun} ms`)
    await a.rest(5)
  },
}

const byLull = (choice: 'yes' | 'no'): Situation => ({
  name: `a permission, answered with ${choice} by lull`,
  async play(a) {
    await a.begin(`[[touch:by-lull-${choice}.txt]] please`)
    await a.dialog()
    await a.rest(3)
    a.mark({ type: 'answering', at: now() })
    const { code, stdout, stderr } = await a.lull('answer', choice)
    if (code !== 0) throw new Error(`exit ${code}: ${stdout}${stderr}`)
    a.mark({ type: choice === 'yes' ? 'granted' : 'refused', at: now() })
    if (choice === 'yes') await a.ends()
    await a.rest(6)
  },
})

/** Whoever scripts agents goes on by its exit code. */
const sentAndAwaited = (prompt: string): Situation => ({
  name: `sent by lull, which waits for the end: ${prompt}`,
  async play(a) {
    const from = now()
    const sent = a.lull('send', a.typed(prompt), '--wait', '--timeout', '30s')
    const asked = await a.next(isMainRequest, 20_000, from).catch(() => undefined)
    if (asked) a.mark({ type: 'prompted', at: asked.at, directive: prompt })
    const { code, stdout, stderr } = await sent
    if (!asked) throw new Error(`it was not sent; exit ${code}: ${stdout}${stderr}`)
    const ended = await a.next(event => event.type === 'end' && event.endsTurn, 30_000, from)
    if (code !== 0) throw new Error(`exit ${code}: ${stdout}${stderr}`)
    const late = now() - ended.at
    if (late < 0) throw new Error(`it said so ${-late} ms before the end: ${stdout}`)
    await a.rest(3)
  },
})

const halfTyped: Situation = {
  name: 'a half-typed line of its person is left alone',
  async play(a) {
    const text = 'half a prompt'
    await a.draft(text)
    await a.rest(2)
    const from = now()
    const { code, stdout, stderr } = await a.lull('send', a.typed('[[short]] by lull'))
    const asked = await a.next(isMainRequest, 2000, from).catch(() => undefined)
    if (asked) a.mark({ type: 'prompted', at: asked.at, directive: '[[short]]' })
    const isLeft = (await a.opened().terminal.screen()).includes(text)
    if (code !== 3 || asked || !isLeft) throw new Error(`exit ${code}: ${stdout}${stderr}`)
    await a.clearDraft()
    await a.rest(2)
  },
}

const cancelled: Situation = {
  name: 'a prompt that is cancelled before any answer',
  async play(a) {
    await a.turn('[[short]] before it')
    await a.rest(3)
    await a.begin('[[think:66]] please')
    await a.rest(2)
    await a.interrupt()
    await a.rest(8)
  },
}

const cleared: Situation = {
  name: 'a new conversation in the same process',
  async play(a) {
    await a.turn('[[short]] of the old conversation')
    await a.rest(2)
    await a.clear()
    await a.rest(6)
    await a.turn('[[bash:6]] of the new conversation')
    await a.rest(6)
  },
}

const startedAnew: Situation = {
  name: 'interrupted, quit and started anew in the same folder',
  async play(a) {
    await a.begin('[[long:67]] please')
    await a.rest(4)
    await a.interrupt()
    await a.rest(3)
    await a.quit()
    await a.rest(1)
    await a.start()
    await a.rest(8)
    await a.turn('[[long:6]] in its new life')
    await a.rest(4)
  },
}

const launched = (by: Launcher, how: string): Situation => ({
  name: `run ${how}`,
  async play(a) {
    await a.quit()
    await a.rest(1)
    await a.start({ by })
    await a.rest(5)
    await a.turn('[[bash:8]] please')
    await a.rest(5)
    await a.quit()
    await a.rest(2)
    await a.start()
    await a.rest(3)
  },
})

/** Those whose dialogs the scripted model can bring about. */
const asking = [permission, swapped(refusal), byLull('yes'), swapped(byLull('no')), bothAsk]

const all: readonly Situation[] = [
  short,
  halfTyped,
  sentAndAwaited('[[short]]'),
  sentAndAwaited('[[bash:4]]'),
  bothWork,
  ...asking,
  question,
  interruptTool,
  swapped(cancelled),
  oneWorks,
  swapped(background),
  limitTwice,
  stall,
  swapped(cleared),
  startedAnew,
  killed,
  oneInterrupted,
  firstPrompt,
  launched('emptied', 'by a launcher that empties the environment'),
  swapped(launched('script', 'under script')),
  launched('sudo', 'under sudo'),
  swapped(launched('own', 'in a terminal of lull’s own')),
]

const neverAsks = [...asking, question]

/** What can't be played with which: it has no such tool, or the scripted model does not speak it. */
const without: Partial<Readonly<Record<LabCli, readonly Situation[]>>> = {
  pi: neverAsks,
  grok: neverAsks,
  cline: neverAsks,
  kimi: [question],
  droid: [question],
}

const hasBackground: readonly LabCli[] = ['claude', 'codex', 'copilot', 'qwen']

const situationsOf = (cli: LabCli): readonly Situation[] =>
  all.filter(
    one =>
      !without[cli]?.includes(one) &&
      (one.name !== background.name || hasBackground.includes(cli)) &&
      (one.name !== 'run under sudo' || isHere('sudo')),
  )

/**
 * @param hooks only where lull has any for it
 * @param only of the situations those whose names hold this
 */
export const morningPart = (
  cli: LabCli,
  hooks: boolean,
  only: string,
  situations: readonly Situation[] = situationsOf(cli),
): Part => ({
  name: cli,
  cli,
  hooks,
  agents: [`${cli}-a`, `${cli}-b`],
  situations: situations.filter(({ name }) => name.includes(only)),
  sharesModel: true,
})
