/** What came of sending something to a destination. */
export type Delivery =
  | {
      readonly is: 'done'
      /** By which the destination knows it. */
      readonly ref?: string
    }
  /** A sentence, printable, without an address or a token. */
  | {
      readonly is: 'failed'
      readonly why: string
      /** HTTP status of a server that answered. */
      readonly status?: number
    }
  /** Nothing to do: the destination can't withdraw a message. */
  | { readonly is: 'nothing' }

/** For as long any destination is waited for, ms: a server that hangs, a program that asks something. */
export const patienceMs = 10_000
