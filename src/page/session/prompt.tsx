/** A prompt for a session, and whether a turn started with it. */
import { useEffect, useState } from 'preact/hooks'
import { act, Refusal } from '../host/ask.ts'
import { link, sessions } from '../host/link.ts'

type Sent = { readonly words: string; readonly isProblem: boolean; readonly turn?: number }

/** After so long a prompt that began no turn is said to have begun none. ms */
const takenMs = 20_000

export function Prompt({ id }: { readonly id: string }) {
  const [text, setText] = useState('')
  const [sent, setSent] = useState<Sent | undefined>(undefined)
  const row = sessions.get(id)?.row.value
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
    const turn = row?.turn ?? 0
    setSent({ words: 'Sending…', isProblem: false })
    try {
      const { confirmed } = await act(`/v1/sessions/${id}/send`, { text })
      setText('')
      const words = confirmed
        ? 'The program read it. No turn has started yet.'
        : 'Typed. The program has not read it yet.'
      setSent({ words, isProblem: !confirmed, turn })
    } catch (error) {
      setSent({
        words: `${error instanceof Refusal ? 'Not sent: ' : ''}${(error as Error).message}`,
        isProblem: true,
      })
    }
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
        placeholder="A prompt for it"
        rows={2}
        value={text}
        onInput={event => setText(event.currentTarget.value)}
      />
      <button type="submit" disabled={text.trim() === '' || link.value !== 'live'}>
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
