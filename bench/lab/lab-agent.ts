/** How a CLI is run in the lab, as each row of the table describes it. */
import type { LabCli } from '../../scripts/setup-lab.ts'
import type { Place } from './place.ts'

export type LabAgent = {
  readonly name: LabCli
  /** The program with the flags of every run. */
  readonly command: readonly string[]
  /** Beyond what `environmentOf` gives to all. */
  readonly env: Readonly<Record<string, string>>
  /** Files below the home, so that it starts without a first-run dialog and asks for permissions as for a new person. */
  readonly files: Readonly<Record<string, string | object>>
  /** Lets hooks that nobody has reviewed run. */
  readonly trustsHooks: readonly string[]
  /** The arguments of a run without a terminal; its stdout is rows of JSON. */
  headless(prompt: string): readonly string[]
  /** In tmux' words, pressed one after the other. */
  readonly keys: {
    readonly submit: readonly string[]
    readonly approve: readonly string[]
    readonly interrupt: readonly string[]
    readonly quit: readonly string[]
  }
  readonly screen: {
    /** It can be typed to, after its start. Says nothing of whether it works later on. */
    readonly ready: RegExp
    /** Its dialog; none where it never asks. */
    readonly permission: RegExp | undefined
    readonly interrupted: RegExp
  }
}

/** How a CLI is run at a place, with the model at a URL. */
export type Runs = (place: Place, model: string) => Omit<LabAgent, 'name'>
