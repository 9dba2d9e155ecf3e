/** Every command that the bench may run, for the programs that must be compiled. */
import type { Command, Scenario } from './scenario.ts'
import { jobs, quietJobs } from './soak.ts'

type Runs = Pick<Scenario, 'run' | 'beside' | 'afterwards' | 'undo'>

/** Those of a scenario. */
export const commandsOf = ({ run, beside = [], afterwards = [], undo = [] }: Runs): Command[] => [
  run,
  beside,
  afterwards,
  undo,
]

export const everyCommand = (scenarios: readonly Runs[]): Command[] => [
  ...scenarios.flatMap(commandsOf),
  ...[...jobs, ...quietJobs].flatMap(({ run, beside = [] }) => [run, beside]),
  ['block.c'],
  ['tree.c'],
]
