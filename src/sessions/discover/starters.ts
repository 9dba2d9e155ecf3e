/**
 * The agents that an environment names. Some give the commands that they run a variable with their process id or their session's
 * id, and it stays when every process between the two has ended. Anybody of the same user can set it. Pure.
 */
import { agents } from '../../agents/registry.ts'

/** An agent that started a process, itself or by processes between them, as far as the environment is right. */
export type Starter = {
  /** Its name. */
  readonly agent: string
} & (
  | { readonly pid: number }
  /** Its own id of its session. */
  | { readonly session: string }
)

const rows = Object.values(agents).flatMap(({ name, inherited }) => (inherited ? { name, ...inherited } : []))

export const startersIn = (env: Readonly<Record<string, string>>): readonly Starter[] =>
  rows.flatMap(({ name: agent, variable, holds }): Starter | readonly [] => {
    const value = env[variable] ?? ''
    if (holds === 'session') return value === '' ? [] : { agent, session: value }
    return /^[1-9]\d{0,9}$/.test(value) ? { agent, pid: Number(value) } : []
  })
