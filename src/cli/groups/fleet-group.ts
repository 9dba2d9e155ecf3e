/** The commands about the fleet that this machine belongs to. Each is loaded when it is called. */
import type { Command } from 'commander'

export function addFleetGroup(lull: Command): void {
  const load = () => import('../commands/fleet/fleet-command.ts')
  const fleet = lull.command('fleet').description('show many machines as one, over a NATS server')
  fleet
    .command('join')
    .description('add this machine to the fleet of a NATS server (JetStream)')
    .argument('<url>', 'such as nats://hub:4222, or tls://hub:4222')
    .option('--creds <file>', 'credentials file of the NATS server')
    .option('--name <host>', 'name in the fleet (default: the name of its key, or the host name)')
    .option('--view', 'only show the fleet; this machine is not shown in it')
    .option('--read-only', 'do not ask others for actions')
    .option(
      '--share <what>',
      'what the others see: states, text (prompts, messages, dialogs), screens',
      'text',
    )
    .option('--without-keys', 'join a server without keys: whoever reaches it may act on this machine')
    .action(async (url, flags) => (await load()).fleetJoinCommand(url, flags))
  fleet
    .command('leave')
    .description('leave the fleet')
    .action(async () => (await load()).fleetLeaveCommand())
  fleet
    .command('status')
    .description('list the hosts of the fleet, and which are connected')
    .option('--json', 'JSON output, one object')
    .action(async flags => (await load()).fleetStatusCommand(flags))
  fleet
    .command('doctor')
    .description("check this machine's place in the fleet")
    .option('--json', 'JSON output, one object')
    .action(async flags => (await load()).fleetDoctorCommand(flags))
  fleet
    .command('forget')
    .description('remove a host that will not come back, and its published history')
    .argument('<host>', 'its name')
    .action(async name => (await load()).fleetForgetCommand(name))
  const keys = fleet
    .command('keys')
    .description('a key for each machine, and what the NATS server lets it do')
  const where = [
    '--dir <folder>',
    'folder of the keys (default: fleet-keys beside the settings of lull)',
  ] as const
  keys
    .command('init')
    .description('write the configuration for the NATS server')
    .option(...where)
    .action(async flags => (await load()).keysInitCommand(flags))
  keys
    .command('add')
    .description('make a key')
    .argument('<name>', 'of the machine')
    .option(
      '--as <roles>',
      'host (is shown), viewer (looks at others), operator (acts on them)',
      'host,operator',
    )
    .option(...where)
    .action(async (name, flags) => (await load()).keysAddCommand(name, flags))
  keys
    .command('revoke')
    .description('end a key')
    .argument('<name>', 'of the machine')
    .option(...where)
    .action(async (name, flags) => (await load()).keysRevokeCommand(name, flags))
}
