/** A connection to boxes over ssh, with the interface of one to this machine. Loaded where a box is named. */
import { type Lull, lullOn } from '../connect/connect.ts'
import type { LastingSource } from '../connect/lasting-source.ts'
import { LullError } from '../core/lull-error.ts'
import type { SessionSource } from '../sessions/session-source.ts'
import { realClock } from '../track/clock.ts'
import { readBoxAddress } from './box-address.ts'
import { fleetMachine } from './fleet-machine.ts'
import { followBoxes } from './follow-boxes.ts'
import { type OpenBoxesOptions, openBoxes } from './open-boxes.ts'

/** As `connectBoxes`. @throws {LullError} as `openBoxes` */
export async function lullOnBoxes(
  names: readonly string[],
  { onNotice }: Pick<OpenBoxesOptions, 'onNotice'> = {},
): Promise<Lull> {
  const clock = realClock(true)
  const open = await openBoxes(names, clock, { onNotice })
  const { boxes, close } = open
  const following = new Set<() => void>()

  const source: SessionSource = {
    via: 'host',
    list: async () => (await Promise.all([...boxes.values()].map(box => box.list()))).flat(),
    changes: () => refuse('changes'),
    events: () => refuse('events'),
    async markSeen(ids) {
      const given = ids.map(readBoxAddress)
      for (const { name, connected, live } of boxes.values()) {
        const own = given.flatMap(({ session, box }) => (box === name ? [session] : []))
        if (own.length > 0) await connected().then(() => live.markSeen(own))
      }
    },
    async close() {
      for (const end of following) end()
      await close()
    },
  }

  const lasting: LastingSource = {
    ask: question => question(source),
    async follow() {
      // What begins before a box has answered is new as well: its first snapshot shows it.
      const registeredAt = clock.now()
      const followed = followBoxes(open, clock)
      following.add(followed.close)
      const leave = async (): Promise<void> => {
        following.delete(followed.close)
        followed.close()
      }
      const { next } = followed
      const changes = { next, source: () => source, moveTo: async () => undefined, close: leave }
      return { changes, leave, whyAway: followed.whyAway, registeredAt }
    },
    close: () => source.close(),
  }
  return lullOn(lasting, fleetMachine(boxes))
}

async function refuse(call: string): Promise<never> {
  throw new LullError('USAGE', `${call}: raw input stays on its own machine`)
}
