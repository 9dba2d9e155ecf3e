/** The configuration that makes a CLI report its events to lull: data, which `hooks/install` writes. */
import type { HookedName } from '../agent-names.ts'

export type PlannedEvent = {
  readonly name: string
  /** Every version that has hooks knows it: installed even where the version's own list can't be read. */
  readonly isBase?: true
}

/** A file of a person's that a CLI reads. */
export type HookFile = {
  /** Below the home folder. */
  readonly path: string
  /** An environment variable that puts another folder in the place of one that `path` begins with. */
  readonly moved?: { readonly variable: string; readonly folder: string }
}

/** The list of a program's events, as text near an anchor in it. Group 1 of the pattern holds one name or several. */
export type EventList = {
  /** Bytes to find in the program. The pattern is matched against the text around them. */
  readonly near: string
  readonly pattern: RegExp
  /** The names that a list must hold to be the one that is meant. */
  readonly holds: readonly string[]
}

/** How a CLI is configured. */
export type HookFormat =
  /** Groups of commands in a settings file of the person: `{hooks: {EVENT: [{hooks: [{type, command}]}]}}`. */
  | {
      readonly kind: 'entries'
      /** The CLI takes no comments and no trailing commas: it passes over a file with either as a whole. */
      readonly isPlainJson?: true
      /** What a group holds besides its commands. */
      readonly group?: Readonly<Record<string, string>>
      /** What a command holds besides itself. No timeout, unless it is held: units differ, and the forwarder ends by itself. */
      readonly handler: Readonly<Record<string, string>>
      /** Settings that switch hooks off: a path in a settings file, and the value that does it. */
      readonly switches: readonly { readonly path: readonly string[]; readonly off: boolean }[]
      /** More files that may hold such a setting: of the project's folder, or of the machine. */
      readonly alsoSwitchedIn?: readonly string[]
      /** A list of the names of hooks that are switched off. */
      readonly switchedOff?: readonly string[]
    }
  /** A file of our own with the commands of all events. */
  | {
      readonly kind: 'file'
      /** @param commands what is to run at each event */
      text(commands: ReadonlyMap<string, string>): string
      /** All commands of such a file, also of one that another program has written. */
      commandsIn(text: string): readonly unknown[]
    }
  /** A folder with one program for each event, named like it. */
  | { readonly kind: 'programs' }
  /** A module of our own that the CLI loads. */
  | {
      readonly kind: 'module'
      /** JavaScript that calls `report(event, payload)`, defined above it, for each of these events. */
      body(events: readonly string[]): string
      /**
       * A settings file that the CLI reads beside the person's modules: its path from the folder of the module, and its lines
       * without a comment. `why`: what it costs where the person has one without these lines.
       */
      readonly beside?: { readonly path: string; readonly lines: readonly string[]; readonly why: string }
    }

export type HookPlan = {
  readonly format: HookFormat
  readonly events: readonly PlannedEvent[]
  /** False where the payload does not name its event, so that the command must. */
  readonly isSelfNaming: boolean
  readonly user: HookFile
  readonly project: {
    /** Below the folder of the project. */
    readonly path: string
    /** Whether the CLI reads it below the root of the repository, or only in the folder where it is started. */
    readonly at: 'root' | 'folder'
    /** It reaches everybody who clones the project. */
    readonly isShared: boolean
  }
  /** How the installed version's events are found; none where an unknown event does no harm. */
  readonly list?: EventList
  /** What a person must do once, after an installation. */
  readonly afterwards?: string
  /** Where the CLI notes which hooks a person trusts. Others do not run. */
  readonly trust?: {
    readonly notedIn: HookFile
    /** The note for one hook. @param at index of its group in the event, and its index in the group */
    note(file: string, event: string, at: readonly [number, number]): string
  }
  /**
   * Hooks of which the agent takes a printed answer while its dialog stands: the forwarder keeps them open until it is answered
   * or gone.
   */
  readonly held?: {
    readonly events: readonly string[]
    /** What the agent tells its hooks where a person may answer: nobody must wait in a run that nobody attends. */
    readonly where: { readonly name: string; readonly value: string }
    /** What such a command holds besides. */
    readonly handler: Readonly<Record<string, string | number>>
  }
  /** A variable of a hook's environment with the agent's process id. It is more exact than the parent of the hook. */
  readonly pidVariable?: { readonly name: string; readonly why: string }
}

/** An agent's name and plan: all that an installation needs. */
export type HookedPlan = { readonly name: HookedName; readonly hooks: HookPlan }

/** The events of a plan: base ones first, then those that came with later versions. */
export const planned = (base: readonly string[], later: readonly string[] = []): readonly PlannedEvent[] => [
  ...base.map(name => ({ name, isBase: true as const })),
  ...later.map(name => ({ name })),
]
