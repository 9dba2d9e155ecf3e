/** Whether a host may join a fleet: asked by the command, and by the host itself at each begin. */
import type { Clock } from '../../core/clock.ts'
import { LullError } from '../../core/lull-error.ts'
import type { FleetSettings } from './fleet-settings.ts'
import type { Hub } from './hub.ts'
import { greetingOf, joinsWord } from './over-nats.ts'

/** @throws {LullError} USAGE where whoever reaches the server could act on this machine, and nobody has allowed that */
export function checkKeys({ needsKey }: Hub, { withoutKeys }: FleetSettings): void {
  if (needsKey || withoutKeys) return
  throw new LullError(
    'USAGE',
    'this NATS server lets everybody in, so that whoever reaches it could type to your sessions: run lull fleet keys init there, or add --without-keys',
  )
}

/** @throws {LullError} NAME_TAKEN where a host answers by that name */
export async function checkName(hub: Hub, name: string, clock: Clock): Promise<void> {
  if ('why' in (await greetingOf(hub, name, clock, joinsWord))) return
  throw new LullError('NAME_TAKEN', `a host is connected as ${name} already: choose another name with --name`)
}
