/** A prompt for a session, and whether a turn started with it. */
import { useEffect, useRef, useState } from 'preact/hooks'
import { act, Refusal, sessionPath } from '../host/ask.ts'
import { canAct, sessions } from '../host/link.ts'

type Sent = { readonly words: string; readonly isProblem: boolean; readonly turn?: number }

/** A prompt that started no turn by then is shown as one that started none. ms */
const takenMs = 20_000

type PromptProps = { readonly id: string; readonly isBlocked: boolean }

/** A text that was not sent is kept while the tab lives: a phone loads tabs anew. */
const draftOf = (id: string): string => `draft ${id}`

/** @param isBlocked it asks something first */
export function Prompt({ id, isBlocked }: PromptProps) {
  const [text, setText] = useState(() => sessionStorage.getItem(draftOf(id)) ?? '')
  useEffect(() => sessionStorage.setItem(draftOf(id), text), [id, text])
  const [sent, setSent] = useState<Sent | undefined>(undefined)
  const isUnderWay = useRef(false)
  const row = sessions.get(id)?.row.value
  const state = row?.state
  // A refusal belongs to the state in which it was made.
  useEffect(() => setSent(before => (before?.isProblem ? undefined : before)), [state])
  const isTaken = sent?.turn !== undefined && row !== undefined && row.turn > sent.turn
  useEffect(() => {
    if (sent?.turn === undefined || isTaken) return
    const timer = setTimeout(
      () => setSent({ words: 'No turn started. Check the screen.', isProblem: true }),
      takenMs,
    )
    return () => clearTimeout(timer)
  }, [sent, isTaken])
  async function send(): Promise<void> {
    if (isUnderWay.current) return
    isUnderWay.current = true
    const turn = row?.turn ?? 0
    setSent({ words: 'Sending…', isProblem: false })
    try {
      const { confirmed } = await act(sessionPath(id, '/send'), { text })
      setText('')
      const words = confirmed ? 'The program read it.' : 'Typed. The program has not read it yet.'
      setSent({ words, isProblem: !confirmed, ...(row?.agent === 'terminal' ? {} : { turn }) })
    } catch (error) {
      setSent({
        words: `${error instanceof Refusal ? 'Not sent: ' : ''}${(error as Error).message}`,
        isProblem: true,
      })
    }
    isUnderWay.current = false
  }
  return (
    <form
      class="prompt"
      onSubmit={event => {
        event.preventDefault()
        void send()
      }}
    >
      <textarea
        aria-label="A prompt for it"
        placeholder={isBlocked ? 'Answer the question above first' : 'A prompt for it'}
        disabled={isBlocked}
        rows={2}
        value={text}
        onInput={event => setText(event.currentTarget.value)}
      />
      <button type="submit" disabled={isBlocked || text.trim() === '' || !canAct.value}>
        Send
      </button>
      {sent ? (
        <p class={sent.isProblem && !isTaken ? 'problem' : 'quiet'} role="status">
          {isTaken ? 'Accepted: a turn started.' : sent.words}
        </p>
      ) : null}
    </form>
  )
}
