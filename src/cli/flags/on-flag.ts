/** `--on`: which machine a command is about. The groups of commands load it, so that it loads nothing that connects. */
import { existsSync } from 'node:fs'
import type { Command } from 'commander'

export type OnFlag = { readonly on?: string | undefined }

export const withOn = (command: Command): Command =>
  command
    .option(
      '--on <boxes>',
      'boxes that ssh reaches, hosts of the fleet, or groups of hosts.yaml, separated by commas',
    )
    .option('--fleet', 'all hosts of the fleet; the same as --on fleet')
    .hook('preAction', (_, called) => {
      const { on, fleet } = called.opts<{ on?: string; fleet?: boolean }>()
      if (fleet) called.setOptionValue('on', on === undefined ? 'fleet' : `${on},fleet`)
    })

/** `web@box1`; but a folder of this machine may have an `@` in its name. */
const namesBox = (address: string | undefined): boolean =>
  address !== undefined &&
  /.@[A-Za-z0-9_][\w.-]*$/.test(address) &&
  !(address.includes('/') && existsSync(address))

export const isElsewhere = ({ on }: OnFlag, addresses: readonly (string | undefined)[]): boolean =>
  on !== undefined || addresses.some(namesBox)
