/** The way to other machines for programs. What it needs is loaded with the call. */
import type { ConnectOptions, Lull } from '../connect/connect.ts'
import { checkValues, is } from '../core/check-values.ts'

/**
 * Connects to machines that ssh reaches and that have lull, as `connect` does to this one: its sessions have `host`, and ids like
 * `3f2a91bc@box1`. A box that can't be asked is a session `@BOX` whose state is `unknown`.
 * @param names boxes as ssh knows them, or groups of ~/.config/lull/hosts.yaml
 * @param options `onNotice` is called with a sentence when a box is away that a call waits for, and when it answers again
 * @throws {LullError} USAGE, BAD_HOSTS
 *
 * ```ts
 * await using lull = await connectBoxes(['box1', 'box2'])
 * await lull.waitFor('web@box1')
 * ```
 */
export async function connectBoxes(
  names: readonly string[],
  options: Pick<ConnectOptions, 'onNotice'> = {},
): Promise<Lull> {
  checkValues('connectBoxes', [names], { names: is.listOf(is.text) })
  const { lullOnBoxes } = await import('./connect-boxes.ts')
  return lullOnBoxes(names, options)
}
