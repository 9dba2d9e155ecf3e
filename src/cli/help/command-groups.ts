/** The commands as `lull --help` groups them: by what people want, what is needed most first. */
import type { Command } from 'commander'

export const commandGroups: Readonly<Record<string, readonly string[]>> = {
  'See:': ['ps', 'watch', 'explain', 'history', 'since', 'tmux'],
  'Wait and get notified:': ['wait', 'go', 'seen', 'notify'],
  'Drive a terminal and the agent in it:': ['send', 'keys', 'answer', 'read', 'name'],
  'Terminals of lull’s own:': ['open', 'attach', 'close', 'terminals'],
  'Keep going:': ['run', 'loop', 'loop-state', 'respawn', 'accept'],
  'Set up:': ['hooks', 'mcp', 'skill', 'completion', 'host', 'doctor'],
  'Record, replay and try:': ['demo', 'record', 'replay', 'classify'],
}

const placeOf = new Map(
  Object.entries(commandGroups)
    .flatMap(([heading, names]) => names.map(name => [name, heading] as const))
    .map(([name, heading], at) => [name, { heading, at }] as const),
)

export function groupCommands(lull: Command): void {
  // That of `lull help`, too.
  lull.commandsGroup('Set up:')
  const all = lull.commands as Command[]
  all.sort((a, b) => (placeOf.get(a.name())?.at ?? Infinity) - (placeOf.get(b.name())?.at ?? Infinity))
  for (const command of all) {
    const heading = placeOf.get(command.name())?.heading
    if (heading !== undefined) command.helpGroup(heading)
  }
}
