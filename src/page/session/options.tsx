/** The options of a dialog: one tap, or two; ticks; a text of the reader's own. */
import { useState } from 'preact/hooks'
import { useTapTwice } from '../tap-twice.ts'
import type { AskedOption, OpenDialog } from '../types.ts'
import { visibly } from '../words.ts'
import { answer } from './answers.ts'
import { whySecondTap } from './second-tap.ts'

type OptionsProps = { readonly session: string; readonly dialog: OpenDialog; readonly isOff: boolean }

export function Options({ session, dialog, isOff }: OptionsProps) {
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
            choice: ticked,
          })
        }}
      >
        {dialog.options
          .filter(({ checked }) => checked !== undefined)
          .map(({ choice, label, text }) => (
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
              {visibly(text ?? label)}
            </label>
          ))}
        <button type="submit" disabled={isOff || ticked.length === 0}>
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

/** What follows the label. */
const moreOf = (label: string, text: string): string =>
  text.startsWith(label) ? text.slice(label.length).trim() : text

type OptionProps = { session: string; dialog: OpenDialog; option: AskedOption; isOff: boolean }

function OptionButton({ session, dialog, option, isOff }: OptionProps) {
  const why = whySecondTap(dialog, option)
  const label = visibly(option.label)
  const send = (): void => void answer(session, dialog.dialog, label, { choice: option.choice })
  const { isAsked, tap } = useTapTwice(send)
  return (
    <button
      type="button"
      class={`option ${option.refuses ? 'refuses' : ''} ${option.lasts ? 'lasts' : ''} ${isAsked ? 'second' : ''}`}
      disabled={isOff}
      onClick={why === undefined ? send : tap}
    >
      {isAsked ? `Tap again: ${label}` : label}
      {option.text === undefined ? null : (
        <span class="more"> {visibly(moreOf(option.label, option.text))}</span>
      )}
      {why === undefined ? null : <span class="why"> ({why})</span>}
    </button>
  )
}
