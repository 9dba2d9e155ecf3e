/** Opens the connection that a command asks: to this machine, or to the boxes that `--on` or its addresses name. */
import { type ConnectOptions, connect, type Lull } from '../connect/connect.ts'
import { connectBoxes } from '../fleet/load-boxes.ts'
import { isElsewhere, type OnFlag } from './flags/on-flag.ts'

/** Of other machines nothing is loaded where none is named. */
export async function openLull(
  { on }: OnFlag,
  addresses: readonly (string | undefined)[],
  options?: ConnectOptions,
): Promise<Lull> {
  if (!isElsewhere({ on }, addresses)) return connect(options)
  const { boxesNamed } = await import('../fleet/box-address.ts')
  const given = addresses.filter(address => address !== undefined)
  return connectBoxes(boxesNamed(on, given), { ...(options?.onNotice ? { onNotice: options.onNotice } : {}) })
}
