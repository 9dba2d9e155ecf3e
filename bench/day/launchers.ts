/** Ways in which people's agents come to run, other than by their shell in tmux. */
import { existsSync } from 'node:fs'
import path from 'node:path'
import { processesWith } from '../lab/place.ts'

const bin = path.resolve(import.meta.dirname, '../../bin/lull.js')

type Launch = (command: readonly string[], env: Readonly<Record<string, string>>) => readonly string[]

/** Marks the processes of one life of an agent, wherever it runs. */
export const lifeVariable = 'LULL_DAY_LIFE'

const assigned = (env: Readonly<Record<string, string | undefined>>): string[] =>
  Object.entries(env).map(([name, value]) => `${name}=${value}`)

/** A launcher that gives the agent what it needs and nothing of its terminal. */
const emptied: Launch = (command, env) => ['env', '-i', 'TERM=xterm-256color', ...assigned(env), ...command]

const quoted = (word: string): string => `'${word.replaceAll("'", "'\\''")}'`

/** @param life of the agent, also the name of a terminal of its own; @param lull what lull runs with */
export const launchers = {
  emptied: () => emptied,
  script: () => (command, _) => ['script', '-qec', command.map(quoted).join(' '), '/dev/null'],
  sudo: () => (command, env) => ['sudo', '-n', ...emptied(command, env)],
  own: (life, lull) => (command, env) => {
    const open = [process.execPath, bin, 'open', life, '--attach', '--', ...emptied(command, env)]
    // The server of these terminals belongs to no life: it serves the next ones too.
    return ['env', '-u', lifeVariable, ...assigned(lull), ...open]
  },
} as const satisfies Record<string, (life: string, lull: NodeJS.ProcessEnv) => Launch>

export type Launcher = keyof typeof launchers

/** Whether it can be had here; a container often has no sudo. */
export const isHere = (by: Launcher): boolean =>
  by !== 'sudo' || (process.env.PATH ?? '').split(':').some(folder => existsSync(path.join(folder, 'sudo')))

/** The processes of a life that run now. */
export const processesOf = (life: string): ReadonlySet<number> =>
  new Set(processesWith(`${lifeVariable}=${life}`))
