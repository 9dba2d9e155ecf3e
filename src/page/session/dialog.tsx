/**
 * A dialog, whole, and its answer. What has become of a tap is always one of: sent, received by the host, given to the agent, confirmed by
 * it; or why not.
 */
import { signal } from '@preact/signals'
import { useEffect, useState } from 'preact/hooks'
import { act, lostCode, Refusal, type Stage } from '../host/ask.ts'
import { link } from '../host/link.ts'
import type { AskedOption, OpenDialog } from '../types.ts'
import { visibly } from '../words.ts'
import { whySecondTap } from './second-tap.ts'

type Progress = {
  readonly session: string
  readonly label: string
  readonly stage: 'sent' | Stage | 'confirmed' | 'unconfirmed' | 'refused' | 'lost'
  readonly why?: string
}

/** By the id of the dialog, so that leaving the view forgets nothing. */
const answers = signal<ReadonlyMap<string, Progress>>(new Map())
const note = (dialog: string, progress: Progress): void => {
  const others = [...answers.value].filter(([id]) => id !== dialog)
  answers.value = new Map([...others, [dialog, progress] as const].slice(-50))
}

async function answer(session: string, dialog: string, label: string, body: object): Promise<void> {
  const about = { session, label }
  note(dialog, { ...about, stage: 'sent' })
  try {
    const path = `/v1/sessions/${session}/answer`
    const { confirmed } = await act(path, { dialog, ...body }, stage => note(dialog, { ...about, stage }))
    note(dialog, { ...about, stage: confirmed ? 'confirmed' : 'unconfirmed' })
  } catch (error) {
    const isLost = error instanceof Refusal && error.code === lostCode
    note(dialog, { ...about, stage: isLost ? 'lost' : 'refused', why: (error as Error).message })
  }
}

const isUnderWay = ({ stage }: Progress): boolean => ['sent', 'received', 'given'].includes(stage)

export function DialogCard({
  session,
  dialog,
  cwd,
}: {
  session: string
  dialog: OpenDialog
  cwd: string | undefined
}) {
  const progress = answers.value.get(dialog.dialog)
  const isOver = progress && (isUnderWay(progress) || ['confirmed', 'unconfirmed'].includes(progress.stage))
  return (
    <section class="dialog" aria-label="What it asks">
      <h2>
        {dialog.tool === undefined
          ? `It needs your answer (${dialog.for})`
          : `It wants to use ${visibly(dialog.tool)}`}
        {cwd === undefined ? null : <span class="folder"> in {visibly(cwd)}</span>}
      </h2>
      {dialog.input === undefined ? null : <Input input={dialog.input} />}
      {dialog.input === undefined || dialog.via === 'screen' ? (
        <Exact text={dialog.shows.join('\n')} />
      ) : null}
      <What dialog={dialog} />
      <Options session={session} dialog={dialog} isOff={isOver === true || link.value !== 'live'} />
      {progress ? <Steps progress={progress} /> : null}
      {link.value === 'live' ? null : (
        <p class="problem" role="alert">
          No connection to the host. You cannot answer from here now.
        </p>
      )}
    </section>
  )
}

/** What became of the last answer, once its dialog is gone or another one is shown. */
export function LastOutcome({
  session,
  shown,
}: {
  readonly session: string
  readonly shown: string | undefined
}) {
  const [id, progress] = [...answers.value].findLast(([, one]) => one.session === session) ?? []
  return progress && id !== shown ? (
    <section class="dialog over" aria-label="The last answer">
      <Steps progress={progress} />
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
            <Exact text={typeof value === 'string' ? value : JSON.stringify(value, null, 2)} />
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

type OptionsProps = { readonly session: string; readonly dialog: OpenDialog; readonly isOff: boolean }

function Options({ session, dialog, isOff }: OptionsProps) {
  const isMultiple = dialog.options.some(({ checked }) => checked !== undefined)
  const [ticked, tick] = useState<readonly string[]>(() =>
    dialog.options.filter(({ checked }) => checked).map(({ choice }) => String(choice)),
  )
  if (dialog.options.length === 0)
    return <p class="problem">lull found no options. Answer in the terminal.</p>
  const own = dialog.options.find(({ takesText }) => takesText)
  if (isMultiple)
    return (
      <form
        onSubmit={event => {
          event.preventDefault()
          void answer(session, dialog.dialog, ticked.join(', '), {
            choice: ticked.length === 0 ? 'submit' : ticked,
          })
        }}
      >
        {dialog.options
          .filter(({ checked }) => checked !== undefined)
          .map(({ choice, label }) => (
            <label key={choice} class="tick">
              <input
                type="checkbox"
                disabled={isOff}
                checked={ticked.includes(String(choice))}
                onChange={event => {
                  const others = ticked.filter(one => one !== String(choice))
                  tick(event.currentTarget.checked ? [...others, String(choice)] : others)
                }}
              />{' '}
              {visibly(label)}
            </label>
          ))}
        <button type="submit" disabled={isOff}>
          Submit
        </button>
      </form>
    )
  return (
    <div class="options">
      {dialog.options
        .filter(({ needsText }) => !needsText)
        .map(option => (
          <OptionButton key={option.choice} session={session} dialog={dialog} option={option} isOff={isOff} />
        ))}
      {own ? <OwnText session={session} dialog={dialog} label={visibly(own.label)} isOff={isOff} /> : null}
    </div>
  )
}

type OwnTextProps = { session: string; dialog: OpenDialog; label: string; isOff: boolean }

/** An answer of the reader's own words. */
function OwnText({ session, dialog, label, isOff }: OwnTextProps) {
  const [text, setText] = useState('')
  return (
    <form
      class="own"
      onSubmit={event => {
        event.preventDefault()
        if (text.trim() !== '') void answer(session, dialog.dialog, label, { text })
      }}
    >
      <input
        aria-label={`${label}: your own answer`}
        placeholder="Your own answer"
        value={text}
        maxLength={2000}
        disabled={isOff}
        onInput={event => setText(event.currentTarget.value)}
      />
      <button type="submit" disabled={isOff || text.trim() === ''}>
        Send
      </button>
    </form>
  )
}

/** A second tap counts from then on, so that one that trembles is one. ms */
const steadyMs = 500
/** For so long it is waited for. ms */
const secondMs = 6000

type OptionProps = { session: string; dialog: OpenDialog; option: AskedOption; isOff: boolean }

function OptionButton({ session, dialog, option, isOff }: OptionProps) {
  const [tappedAt, setTapped] = useState<number | undefined>(undefined)
  useEffect(() => {
    if (tappedAt === undefined) return
    const timer = setTimeout(() => setTapped(undefined), secondMs)
    return () => clearTimeout(timer)
  }, [tappedAt])
  const why = whySecondTap(dialog, option)
  const label = visibly(option.label)
  const send = (): void => {
    setTapped(undefined)
    void answer(session, dialog.dialog, label, { choice: option.choice })
  }
  function tapped(): void {
    if (why === undefined) {
      send()
      return
    }
    const now = performance.now()
    if (tappedAt === undefined) setTapped(now)
    else if (now - tappedAt > steadyMs) send()
  }
  return (
    <button
      type="button"
      class={`option ${option.refuses ? 'refuses' : ''} ${tappedAt === undefined ? '' : 'second'}`}
      disabled={isOff}
      onClick={tapped}
    >
      {tappedAt === undefined ? label : `Tap again: ${label}`}
      {why === undefined ? null : <span class="why"> ({why})</span>}
    </button>
  )
}

const steps = [
  ['sent', 'sent'],
  ['received', 'received by the host'],
  ['given', 'given to the agent'],
  ['confirmed', 'confirmed by the agent'],
] as const

function Steps({ progress: { label, stage, why } }: { readonly progress: Progress }) {
  const at = stage === 'unconfirmed' ? 2 : steps.findIndex(([name]) => name === stage)
  return (
    <div class="steps" role="status" aria-live="polite">
      <p>{label}:</p>
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
      {stage === 'unconfirmed' ? <p class="problem">The agent has not confirmed it.</p> : null}
    </div>
  )
}
