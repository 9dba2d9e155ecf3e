/** Answers that were given from this page, and what has become of each. */
import { signal } from '@preact/signals'
import { act, lostCode, Refusal, type Stage, sessionPath } from '../host/ask.ts'
import { hostNow, sessions } from '../host/link.ts'

export type Progress = {
  readonly session: string
  readonly dialog: string
  readonly label: string
  /** When it was tapped, ms since the epoch, and in which turn of the session. */
  readonly tappedAt: number
  readonly turn: number
  readonly stage: 'sent' | Stage | 'confirmed' | 'unconfirmed' | 'refused' | 'lost'
  /** When that was noted, by `performance.now`. */
  readonly notedAt: number
  readonly why?: string
}

/**
 * The newest last. Leaving the view forgets none. They are by session and dialog: in another session, the same words are another
 * dialog.
 */
const answers = signal<readonly Progress[]>([])
const mostAnswers = 50

export const answerTo = (session: string, dialog: string): Progress | undefined =>
  answers.value.find(one => one.session === session && one.dialog === dialog)

/** The last one of a session, in its turn. */
export function lastAnswer(session: string): Progress | undefined {
  const last = answers.value.findLast(one => one.session === session)
  const turn = sessions.get(session)?.row.value.turn ?? 0
  return last && turn <= last.turn ? last : undefined
}

export async function answer(session: string, dialog: string, label: string, body: object): Promise<void> {
  const turn = sessions.get(session)?.row.peek().turn ?? 0
  const about = { session, dialog, label, tappedAt: hostNow(), turn }
  function note(stage: Progress['stage'], why?: string): void {
    const progress = { ...about, stage, notedAt: performance.now(), ...(why === undefined ? {} : { why }) }
    const others = answers.value.filter(one => one.session !== session || one.dialog !== dialog)
    answers.value = [...others.slice(1 - mostAnswers), progress]
  }
  note('sent')
  try {
    const { confirmed } = await act(sessionPath(session, '/answer'), { dialog, ...body }, note)
    note(confirmed ? 'confirmed' : 'unconfirmed')
  } catch (error) {
    const isLost = error instanceof Refusal && error.code === lostCode
    note(isLost ? 'lost' : 'refused', (error as Error).message)
  }
}

export const isUnderWay = ({ stage }: Progress): boolean => ['sent', 'received', 'given'].includes(stage)
