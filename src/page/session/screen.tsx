/** The screen of a session's terminal, live, and keys for it. */
import { useLayoutEffect, useRef, useState } from 'preact/hooks'
import { act, read, sessionPath } from '../host/ask.ts'
import { canAct, readOnlyBy } from '../host/link.ts'
import { useLoaded } from '../host/use-loaded.ts'
import type { DrawnScreen } from '../types.ts'
import { Cells } from './cells.tsx'
import { keyName } from './pressed-key.ts'

/** ms */
const lookMs = 700

export function ScreenPanel({ id }: { readonly id: string }) {
  const last = useRef('')
  const { loaded: screen, problem } = useLoaded(
    id,
    async signal => {
      if (document.visibilityState !== 'visible') return undefined
      const next = await read<DrawnScreen>(sessionPath(id, '/screen?format=cells'), signal)
      const drawn = JSON.stringify([next.cells, next.cursor, next.state])
      const isNew = drawn !== last.current
      last.current = drawn
      return isNew ? next : undefined
    },
    lookMs,
  )
  const [isTyping, setTyping] = useState(false)
  return (
    <>
      {problem === undefined ? null : <p class="problem">{problem}</p>}
      {screen ? <Cells cells={screen.cells ?? []} cursor={screen.cursor} /> : null}
      <label>
        <input
          type="checkbox"
          checked={isTyping}
          disabled={readOnlyBy.value !== undefined}
          onChange={event => setTyping(event.currentTarget.checked)}
        />{' '}
        Type into it{readOnlyBy.value === undefined ? '' : ' (not from here: this browser may only read)'}
      </label>
      {isTyping ? <Keys id={id} /> : null}
    </>
  )
}

/** As a keyboard has them. */
const keyWords: Readonly<Record<string, string>> = { BTab: 'Shift+Tab', 'C-c': 'Ctrl+C' }

/** Keys are sent one after the other, only while the connection is live. If one is refused, the page shows why and drops the rest. */
function Keys({ id }: { readonly id: string }) {
  const field = useRef<HTMLTextAreaElement>(null)
  const waiting = useRef<string[]>([])
  const isBusy = useRef(false)
  const [problem, setProblem] = useState<string | undefined>(undefined)
  // Before the next key of a fast hand: on the checkbox a Space would uncheck it.
  useLayoutEffect(() => field.current?.focus(), [])
  async function flush(): Promise<void> {
    if (isBusy.current) return
    isBusy.current = true
    try {
      while (waiting.current.length > 0)
        await act(sessionPath(id, '/keys'), { keys: waiting.current.splice(0, 50) })
      setProblem(undefined)
    } catch (error) {
      waiting.current = []
      setProblem(`Not typed: ${(error as Error).message}`)
    }
    isBusy.current = false
  }
  function press(...keys: readonly string[]): void {
    waiting.current.push(...keys)
    void flush()
  }
  function take(typed: HTMLTextAreaElement): void {
    const { value } = typed
    typed.value = ''
    press(...Array.from(value, char => (char === '\n' ? 'Enter' : char === ' ' ? 'Space' : char)))
  }
  /** As a text of several lines: none of its line breaks is an Enter. */
  async function paste(text: string): Promise<void> {
    try {
      await act(sessionPath(id, '/send'), { text, enter: false, append: true })
      setProblem(undefined)
    } catch (error) {
      setProblem(`Not pasted: ${(error as Error).message}`)
    }
  }
  return (
    <>
      <textarea
        ref={field}
        class="keys"
        data-types="true"
        rows={1}
        autocapitalize="off"
        autocomplete="off"
        spellcheck={false}
        aria-label="Keys go to the terminal at once"
        placeholder="Keys go to the terminal at once"
        disabled={!canAct.value}
        onKeyDown={event => {
          const key = keyName(event)
          if (key === undefined) return
          event.preventDefault()
          press(key)
        }}
        onInput={event => {
          // A phone's keyboard reports texts, not keys. A text that is being composed is not sent yet.
          if (!event.isComposing) take(event.currentTarget)
        }}
        onCompositionEnd={event => take(event.currentTarget)}
        onPaste={event => {
          event.preventDefault()
          void paste(event.clipboardData?.getData('text') ?? '')
        }}
      />
      {['Enter', 'Escape', 'Tab', 'BTab', 'Up', 'Down', 'Left', 'Right', 'C-c'].map(key => (
        <button key={key} type="button" class="key" disabled={!canAct.value} onClick={() => press(key)}>
          {keyWords[key] ?? key}
        </button>
      ))}
      {problem === undefined ? null : <p class="problem">{problem}</p>}
    </>
  )
}
