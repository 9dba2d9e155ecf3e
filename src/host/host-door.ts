/** The host's second door: the API over TCP (`serve`), which is open for as long as a person wants it. */
import type { ShowNotice } from '../notify/deliver/deliver.ts'
import type { OfferAnswers } from '../notify/deliver/offered-answers.ts'

export type DoorStatus = {
  readonly url: string
  readonly readOnly: boolean
  /** Boxes and groups of them, whose sessions it serves as well. */
  readonly on?: readonly string[]
  /** Why it is not open, though it should be. */
  readonly problem?: string
}

export type HostDoor = {
  /** Opens or closes it as its settings say by now, and ends what a revoked token has open. */
  update(): Promise<void>
  /** Undefined where it is not asked for. */
  status(): DoorStatus | undefined
  /** Links that answer what a session asks; none where it is not open, or read-only. */
  readonly offer: OfferAnswers
  /** Notices for open pages. */
  readonly show: ShowNotice
  close(): Promise<void>
}
