/**
 * A dialog, whole, and its answer. What has become of a tap is always one of: sent, received by the host, given to the agent, confirmed by
 * it; or why not.
 */
import { canAct, link } from '../host/link.ts'
import type { OpenDialog } from '../types.ts'
import { visibly } from '../words.ts'
import { answerTo, isUnderWay, lastAnswer, type Progress } from './answers.ts'
import { Options } from './options.tsx'
import { useSettled } from './steady-place.ts'

type CardProps = {
  readonly session: string
  readonly dialog: OpenDialog
  readonly cwd: string | undefined
  /** When the host was asked for it, by `performance.now`. */
  readonly lookedAt: number
  /** The last request for it succeeded. */
  readonly isKnown: boolean
}

export function DialogCard({ session, dialog, cwd, lookedAt, isKnown }: CardProps) {
  const noted = answerTo(session, dialog.dialog)
  // A dialog that the agent confirmed is gone: what is shown after that asks the same again.
  const progress = noted?.stage === 'confirmed' && noted.notedAt < lookedAt ? undefined : noted
  const { place, isSettled } = useSettled()
  const isOff = !canAct.value || !isKnown
  const isOver = progress && !mayAnswerAgain(progress, lookedAt)
  return (
    <section class="dialog" aria-label="What it asks">
      <h2>
        {dialog.tool === undefined || dialog.for !== 'permission'
          ? `It needs your answer (${dialog.for})`
          : `It wants to use ${visibly(dialog.tool)}`}
        {cwd === undefined ? null : <span class="folder"> in {visibly(cwd)}</span>}
      </h2>
      {dialog.input === undefined ? null : <Input input={dialog.input} />}
      {dialog.input === undefined || dialog.via === 'screen' ? (
        <Exact text={dialog.shows.join('\n')} />
      ) : null}
      <What dialog={dialog} />
      <fieldset
        class="choices"
        ref={place}
        aria-label="Your answer"
        aria-disabled={!isSettled}
        onClickCapture={isSettled ? undefined : ignore}
        onSubmitCapture={isSettled ? undefined : ignore}
      >
        <Options session={session} dialog={dialog} isOff={isOver === true || isOff} />
      </fieldset>
      {progress ? <Steps progress={progress} /> : null}
      {link.value === 'live' || (progress && isUnderWay(progress)) ? null : (
        <p class="problem" role="alert">
          No connection to the host. You cannot answer from here now.
        </p>
      )}
    </section>
  )
}

/** What was refused or lost may be given again, and what took no effect that shows, once the host still sees the dialog after it. */
function mayAnswerAgain(progress: Progress, lookedAt: number): boolean {
  if (progress.stage === 'unconfirmed') return progress.notedAt < lookedAt
  return !isUnderWay(progress) && progress.stage !== 'confirmed'
}

/** Not `disabled`: that would take the focus away from who types there. */
function ignore(event: Event): void {
  event.preventDefault()
  event.stopPropagation()
}

type LastProps = { readonly session: string; readonly shown: string | undefined }

/** What became of the last answer, once its dialog is gone or another one is shown, until the next turn. */
export function LastOutcome({ session, shown }: LastProps) {
  const last = lastAnswer(session)
  return last && last.dialog !== shown ? (
    <section class="dialog over" aria-label="The last answer">
      <Steps progress={last} />
    </section>
  ) : null
}

/** What lull does not know of it. */
function What({ dialog: { via, whole } }: { readonly dialog: OpenDialog }) {
  if (via === 'hook') return null
  return (
    <p class="quiet">
      {whole === 'yes'
        ? 'Read from the screen.'
        : whole === 'no'
          ? 'Read from the screen. Its beginning is not visible: check the terminal before you allow it.'
          : 'Read from the screen. Part of it may not be visible.'}
    </p>
  )
}

/** In the order in which a program reads it, with what can't be seen spelt out. */
const Exact = ({ text }: { readonly text: string }) => (
  <pre class="exact">
    <bdo dir="ltr">{visibly(text)}</bdo>
  </pre>
)

/** Lists as lists and fields as fields; text as it is. */
function Value({ value }: { readonly value: unknown }) {
  if (typeof value !== 'object' || value === null)
    return <Exact text={typeof value === 'string' ? value : JSON.stringify(value)} />
  if (!Array.isArray(value)) return <Input input={value as Readonly<Record<string, unknown>>} />
  return (
    <ol class="values">
      {value.map((one, at) => (
        <li key={`${at} ${JSON.stringify(one)}`}>
          <Value value={one} />
        </li>
      ))}
    </ol>
  )
}

/** Each field as the agent gave it. */
function Input({ input }: { readonly input: Readonly<Record<string, unknown>> }) {
  const { old_string: before, new_string: after, ...rest } = input
  const isEdit = typeof before === 'string' && typeof after === 'string'
  return (
    <dl class="input">
      {Object.entries(isEdit ? rest : input).map(([name, value]) => (
        <div key={name}>
          <dt>{visibly(name)}</dt>
          <dd>
            <Value value={value} />
          </dd>
        </div>
      ))}
      {isEdit ? (
        <>
          <div>
            <dt>removes</dt>
            <dd class="out">
              <Exact text={before} />
            </dd>
          </div>
          <div>
            <dt>adds</dt>
            <dd class="in">
              <Exact text={after} />
            </dd>
          </div>
        </>
      ) : null}
    </dl>
  )
}

const steps = [
  ['sent', 'sent'],
  ['received', 'received by the host'],
  ['given', 'given to the agent'],
  ['confirmed', 'confirmed by the agent'],
] as const

function Steps({ progress }: { readonly progress: Progress }) {
  const { label, stage, why, tappedAt } = progress
  const at = stage === 'unconfirmed' ? 2 : steps.findIndex(([name]) => name === stage)
  return (
    <div class="steps" role="status" aria-live="polite">
      <p>
        {label} ({new Date(tappedAt).toLocaleTimeString()}):
      </p>
      {at < 0 ? (
        <p class="problem">
          {stage === 'lost' ? 'unknown: ' : 'not answered: '}
          {why}
        </p>
      ) : (
        <ol>
          {steps.map(([name, words], place) => (
            <li key={name} class={place <= at ? 'reached' : ''}>
              {place <= at ? '✓ ' : '· '}
              {words}
            </li>
          ))}
        </ol>
      )}
      {isUnderWay(progress) && link.value !== 'live' ? (
        <p class="problem">Not confirmed. The connection broke; the answer may still take effect.</p>
      ) : null}
      {stage === 'unconfirmed' ? (
        <p class="problem">The agent has not confirmed it. You can answer while its dialog is still shown.</p>
      ) : null}
    </div>
  )
}
