import type { StepAct } from './plan.ts'

/** What a step types, as its plan says it. */
export function textIn(act: StepAct): string {
  switch (act.do) {
    case 'prompt':
    case 'command':
      return act.text
    case 'keys':
      return act.keys.join(' ')
    case 'file':
      return `(what ${act.path} holds)`
    case 'output':
      return `(what ${act.command} prints)`
  }
}
