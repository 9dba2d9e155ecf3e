/** The dialog of a terminal's agent, asked and answered: through the hook that it holds open for that, else by keys. */
import type { Option } from '../../agents/screen/screen-rows.ts'
import { defined } from '../../core/defined.ts'
import { LullError } from '../../core/lull-error.ts'
import { readKey } from '../../os/tmux/key-names.ts'
import type { LiveSession, RequestPort } from '../../sessions/session-source.ts'
import type { DrivenTerminal } from '../../terminal/observer.ts'
import type { Observation } from '../../terminal/observer-step.ts'
import { realClock } from '../../track/clock.ts'
import type { LastLook } from '../press-keys.ts'
import { type Judged, refusedToType } from '../refusal.ts'
import type { AnswerOptions } from '../terminal-options.ts'
import type { Answered } from './answer-dialog.ts'
import { chooseOption, listOf, wordOf } from './choose-option.ts'
import { drawnDialog, drawnMs } from './drawn-dialog.ts'
import { heldDialog, joinedDialog } from './held-dialog.ts'
import { changed } from './point-at-option.ts'
import { dialogOf, isAlike, type ShownDialog } from './shown-dialog.ts'

export type DialogsAround = {
  /** The agent, as it is now. */
  agent(): Promise<LiveSession | undefined>
  /** None where no host holds hooks. */
  readonly requests: RequestPort | undefined
  /** What the screen shows; none where there is no screen that can be read. */
  readonly screen?: {
    readonly pane: DrivenTerminal
    judge(observation: Observation): Promise<Judged>
    /** The agent that the address named. */
    readonly meant: LiveSession | undefined
  }
}

export type Dialogs = {
  dialog(): Promise<ShownDialog | undefined>
  answer(choices: readonly string[], options: AnswerOptions): Promise<Answered>
}

export function dialogsOf({ agent, requests, screen }: DialogsAround): Dialogs {
  async function onScreen(): Promise<ShownDialog | undefined> {
    if (!screen) return undefined
    const { pane, judge } = screen
    const observation = await pane.observe()
    const [{ dialogNow }, judged] = await Promise.all([import('./dialog-now.ts'), judge(observation)])
    const dialog = await dialogNow(observation, judged, pane.holder)
    return dialog && dialogOf(dialog, judged.agent)
  }

  const clock = realClock(true)
  const isWaiting = (live: LiveSession | undefined) => live?.session.verdict.state.kind === 'waiting'
  /** A dialog that is not drawn by then is none that lull reads. */
  const hasJustAsked = async (): Promise<boolean> => {
    const live = await agent()
    return live !== undefined && isWaiting(live) && clock.now() - live.session.verdict.since < drawnMs
  }

  async function held() {
    const live = requests && (await agent())
    if (!requests || !live || !isWaiting(live)) return undefined
    const asked = await requests.asked(live.id)
    return asked && { session: live.id, asked }
  }

  /**
   * Whether the dialog that stood on the screen has left it at a last look: its person has answered. Where a hook takes a late answer,
   * a no breaks off what was allowed. One that the screen has not shown, lull may not be able to read there.
   */
  const hasLeft = async (shown: ShownDialog | undefined): Promise<boolean> =>
    shown !== undefined && !isAlike(await onScreen(), shown)

  /** Keys need the dialog as the screen has it; an id of the report means the same one there. */
  async function byKeys(choices: readonly string[], options: AnswerOptions): Promise<Answered> {
    if (!screen)
      throw refusedToType(
        'failed',
        'its terminal can’t be reached: only the options that it reports can be chosen',
      )
    const [{ answerDialog }, { pressKeys }, { answeredIn, noteAnswered }] = await Promise.all([
      import('./answer-dialog.ts'),
      import('../press-keys.ts'),
      import('./standing-dialogs.ts'),
    ])
    const { pane, meant } = screen
    const { socket, id } = pane.holder
    const standing = answeredIn(socket, id, clock.wall())
    if (standing !== undefined && standing === (await onScreen())?.id)
      throw refusedToType(
        'waitsForPerson',
        'it was answered already and still stands: another key would answer what it asks next; lull keys presses keys',
      )
    const { dialog: expected, text, signal, onGiven } = options
    const press = (keys: readonly string[], look: LastLook) =>
      pressKeys(pane, keys.map(readKey), { ...defined({ meant, signal }), look })
    const answered = await answerDialog(
      { read: onScreen, press, isAsked: hasJustAsked },
      { choices, ...defined({ text, expected, onGiven }) },
    )
    // Where several are ticked, it may stand because more is to be chosen.
    const { dialog, isGone } = answered
    const stands = !isGone && dialog.options.every(({ isChecked }) => isChecked === undefined)
    await noteAnswered(socket, id, stands ? dialog.id : undefined, clock.wall())
    return answered
  }

  return {
    async dialog() {
      const shown = screen && (await drawnDialog(onScreen, hasJustAsked))
      const found = await held()
      return found ? (joinedDialog(found.asked, shown)?.dialog ?? heldDialog(found.asked)) : shown
    },
    async answer(choices, options) {
      const found = await held()
      if (!found) return byKeys(choices, options)
      const { session, asked } = found
      const shown = await drawnDialog(onScreen, hasJustAsked)
      const joined = joinedDialog(asked, shown)
      const alone = heldDialog(asked)
      const { dialog: expected = (joined?.dialog ?? alone).id, text, signal, onGiven } = options
      if (expected === shown?.id) return byKeys(choices, options)
      const meant = [joined?.dialog, alone].find(one => one?.id === expected)
      if (!meant) throw changed(joined?.dialog ?? alone)
      const onlyByKeys = { ...options, ...(joined && shown ? { dialog: shown.id } : {}) }
      if (text !== undefined) return byKeys(choices, onlyByKeys)
      if (choices.length !== 1)
        throw new LullError('USAGE', `it takes one choice; there are: ${listOf(meant.options)}`)
      const place = chooseOption(meant.options, choices[0] ?? '')
      const option = meant === alone ? place : (joined?.places.indexOf(place) ?? -1)
      if (option < 0) return byKeys([wordOf(meant.options[place] as Option, place)], onlyByKeys)
      if (signal?.aborted) throw refusedToType('failed', 'it was called off: nothing was answered')
      if (await hasLeft(shown))
        throw refusedToType(
          'waitsForPerson',
          'its screen shows no such dialog any more: nothing was answered',
        )
      const is = await requests?.reply(session, asked.id, option, onGiven)
      if (is !== 'confirmed' && is !== 'unconfirmed')
        throw refusedToType(
          'waitsForPerson',
          'another answer came first, at its keyboard or through lull: this one did not decide it',
        )
      return { dialog: meant, chosen: [meant.options[place]?.label ?? ''], isGone: is === 'confirmed' }
    },
  }
}
