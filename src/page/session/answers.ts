/** Answers that were given from this page, and what has become of each. */
import { signal } from '@preact/signals'
import { act, lostCode, Refusal, type Stage } from '../host/ask.ts'
import { hostNow, sessions } from '../host/link.ts'

export type Progress = {
  readonly session: string
  readonly label: string
  /** When it was tapped, ms since the epoch, and in which turn of the session. */
  readonly at: number
  readonly turn: number
  readonly stage: 'sent' | Stage | 'confirmed' | 'unconfirmed' | 'refused' | 'lost'
  readonly why?: string
}

/** By the id of the dialog, so that leaving the view forgets nothing. */
export const answers = signal<ReadonlyMap<string, Progress>>(new Map())
const note = (dialog: string, progress: Progress): void => {
  const others = [...answers.value].filter(([id]) => id !== dialog)
  answers.value = new Map([...others, [dialog, progress] as const].slice(-50))
}

export async function answer(session: string, dialog: string, label: string, body: object): Promise<void> {
  const turn = sessions.get(session)?.row.peek().turn ?? 0
  const about = { session, label, at: hostNow(), turn }
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

export const isUnderWay = ({ stage }: Progress): boolean => ['sent', 'received', 'given'].includes(stage)
