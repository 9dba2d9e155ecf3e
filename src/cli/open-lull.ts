/** Opens the connection that a command asks: to this machine, or to the boxes that `--on` or its addresses name. */
import { existsSync } from 'node:fs'
import type { Command } from 'commander'
import { type ConnectOptions, connect, type Lull } from '../connect/connect.ts'
import { connectBoxes } from '../fleet/load-boxes.ts'

export type OnFlag = { readonly on?: string | undefined }

export const withOn = (command: Command): Command =>
  command.option('--on <boxes>', 'boxes that ssh reaches, or groups of hosts.yaml, separated by commas')

/** Of other machines nothing is loaded where none is named. */
export async function openLull(
  { on }: OnFlag,
  addresses: readonly (string | undefined)[],
  options?: ConnectOptions,
): Promise<Lull> {
  if (!isElsewhere({ on }, addresses)) return connect(options)
  const { boxesNamed } = await import('../fleet/box-address.ts')
  const given = addresses.filter(address => address !== undefined)
  return connectBoxes(boxesNamed(on, given))
}

/** `web@box1`; but a folder of this machine may have an `@` in its name. */
const namesBox = (address: string | undefined): boolean =>
  address !== undefined &&
  /.@[A-Za-z0-9_][\w.-]*$/.test(address) &&
  !(address.includes('/') && existsSync(address))

export const isElsewhere = ({ on }: OnFlag, addresses: readonly (string | undefined)[]): boolean =>
  on !== undefined || addresses.some(namesBox)
