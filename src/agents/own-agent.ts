/** An agent that lull does not know, and a person has written rules for: a program of that name, known by its screen alone. */
import type { Agent } from './kit/agent.ts'
import { noRules } from './screen/read-screen.ts'

/** As a file or folder may be called, and a program. */
const asName = /^\w[\w.-]{0,63}$/

export const isOwnName = (name: string): boolean => asName.test(name)

/** Its rules are read beside: they may change while it runs. */
export const ownAgent = (name: string): Agent => ({
  name,
  title: name,
  process: { argv0: [name], runsInPython: true },
  files: { transcripts: [] },
  screens: noRules,
})
