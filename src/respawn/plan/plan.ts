/** What `lull respawn` was asked for, as data: durations in ms. `read-plan.ts` makes it of a file, the command line of flags. */

/** What has to hold before a step, or what ends the plan. */
export type Condition =
  /** Share of the context window in use, 0 to 1; where it is unknown, neither is true. */
  | { readonly kind: 'context'; readonly is: 'below' | 'above'; readonly share: number }
  | { readonly kind: 'exists'; readonly path: string }
  /** A command of a shell that ends with 0. */
  | { readonly kind: 'passes'; readonly command: string }
  /** The agent's last message holds the marker: `<!-- ralph:state done -->`. */
  | { readonly kind: 'marker'; readonly name: string }

/**
 * Control characters but those that lay a text out: keys to a program that takes no pastes, where Ctrl-C ends it and a carriage
 * return sends the text before it.
 */
export const hasKeys = (text: string): boolean => /[^\P{Cc}\n\t]/u.test(text)

export type StepAct =
  | { readonly do: 'prompt'; readonly text: string }
  /** The agent's own: `/clear`. */
  | { readonly do: 'command'; readonly text: string }
  | { readonly do: 'keys'; readonly keys: readonly string[] }
  /** What a file holds by then, or a command prints, is the prompt. */
  | { readonly do: 'file'; readonly path: string }
  | { readonly do: 'output'; readonly command: string }

export type PlanStep = {
  readonly act: StepAct
  readonly when?: Condition
  readonly unless?: Condition
  /** So long after the step before it was over. */
  readonly after?: number
  /** In so many cycles, the first ones. */
  readonly times?: number
}

export type RespawnPlan = {
  /** Its file, or how it was given. */
  readonly name: string
  readonly steps: readonly PlanStep[]
  /** How often all steps are gone through. */
  readonly times?: number
  /** From the beginning. */
  readonly for?: number
  readonly until?: Condition
  /** Dollars, as the agent counts them. */
  readonly maxCost?: number
  readonly timers: Timers
  /** Work that goes on beside a turn is not waited for. */
  readonly ignoresBackground: boolean
  /** What is pressed where it is stuck. */
  readonly recover: readonly (readonly string[])[]
  /** Typed into the shell that is left where the agent crashed. */
  readonly relaunch?: string
  readonly hasJudge: boolean
  readonly hasRules: boolean
}

/** docs/seeds.md#003, and what its research found in the field (docs/respawn.md#timers). */
export type Timers = {
  /** How long an end that was reported must hold. */
  readonly held: number
  /** How long idleness must hold that only shows. */
  readonly silence: number
  /** How long nothing may be known before the judge is asked. */
  readonly unknown: number
  /** Between the end of a step and the next. */
  readonly pause: number
  /** How long after a person typed, or looked, they have it for themselves. */
  readonly person: number
  /** Within which a step begins a turn. */
  readonly begin: number
  /** Stuck for this long is reported; for longer, recovery begins. */
  readonly stuck: number
  readonly recovery: number
  /** After a limit has ended. */
  readonly reset: number
  /** The wait after a limit without a known end. */
  readonly unknownReset: number
}

export const usualTimers: Timers = {
  held: 3000,
  silence: 10_000,
  unknown: 30_000,
  pause: 1000,
  person: 60_000,
  begin: 30_000,
  stuck: 300_000,
  recovery: 600_000,
  reset: 120_000,
  unknownReset: 1_800_000,
}

/** Whoever confirms sooner does not pause for longer. */
export const heldIn = (timers: Timers, held: number): Timers => ({
  ...timers,
  held,
  pause: Math.min(timers.pause, held),
})
