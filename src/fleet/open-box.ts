/** A box: one connection, and over it the same client as over HTTP. */
import { remoteParts } from '../connect/remote/connect-remote.ts'
import type { Clock } from '../core/clock.ts'
import { isLullError } from '../core/lull-error.ts'
import type { Instant } from '../core/state.ts'
import { oneLine } from '../core/text/printable.ts'
import type { LiveSession } from '../sessions/session-source.ts'
import { type BegunWay, boxLink } from './box-link.ts'
import { allOnBox, boxRow, onBox, unheard } from './box-rows.ts'

/** Called with a sentence when a box is away that somebody waits for, and when it answers again. */
export type OnNotice = (sentence: string) => void

export type OpenBox = ReturnType<typeof openBox>

/** What others know of a box: when they heard of it, and the sessions that it had then, under the ids that they have there. */
export type KnownBefore = {
  readonly heardAt?: Instant | undefined
  sessions(): Promise<readonly LiveSession[]>
}

/**
 * It connects with the first question.
 * @param begin tries the way to it
 */
export function openBox(
  name: string,
  begin: () => BegunWay,
  clock: Clock,
  { before, onNotice }: { readonly before?: KnownBefore; readonly onNotice?: OnNotice | undefined } = {},
) {
  const ups = new Set<() => void>()
  const link = boxLink(name, begin, clock, () => {
    for (const up of ups) up()
  })
  // The box knows who asks: whoever may run lull there.
  const { live, api, machine } = remoteParts(
    { base: '', name, token: 'ssh' },
    link.transport,
    clock,
    onNotice,
  )
  const heardAt = (): Instant => link.heardAt() ?? before?.heardAt ?? clock.now()

  /** The sessions that it had when others heard of it. */
  const had = async (): Promise<readonly LiveSession[]> => (await before?.sessions()) ?? []

  const shown = (all: readonly LiveSession[]): readonly LiveSession[] =>
    allOnBox(all, name).map(one => one.live)

  return {
    ...{ name, link, live, api, had, isKnown: before !== undefined },
    /** Called at each connection, until what it returns is called. */
    onUp(call: () => void): () => void {
      ups.add(call)
      return () => ups.delete(call)
    },
    /** When it was last heard of; now, where nobody has. */
    heardAt,
    /** @throws {LullError} HOST_GONE where it can't be asked */
    async connected() {
      await link.open()
      return machine
    },
    /** Its sessions; where it can't be asked, a row that says so. */
    async list(): Promise<readonly LiveSession[]> {
      try {
        await link.open()
        return shown(await live.at([], false, { patience: 0 }))
      } catch (error) {
        const why = whyAway(error)
        const known = shown(await had())
        return [boxRow(name, why, heardAt()), ...known.map(live => unheard(live, why, heardAt()))]
      }
    },
    here: (session: LiveSession) => onBox(session, name)?.live,
    close() {
      api.close()
      link.close()
    },
  }
}

/** @throws whatever is a fault of ours */
export function whyAway(error: unknown): string {
  if (!isLullError(error)) throw error
  return oneLine(error.message, 400)
}
