/** The rooms with mutants, and their tests: none that starts a program or waits for one. */

export type MutatedRoom = {
  readonly name: string
  /** Globs of what is mutated. */
  readonly sources: readonly string[]
  /** Globs of the tests that have to notice. */
  readonly tests: readonly string[]
}

export const mutatedRooms: readonly MutatedRoom[] = [
  {
    name: 'core',
    sources: ['src/core/*.ts', 'src/core/!(redact)/**/*.ts'],
    tests: [
      'test/core/!(properties|row-pattern.real).test.ts',
      'test/track/{grants,nested,recorded,same-verdicts,told,traps}.test.ts',
      'test/agents/screen/coloured-pointer.test.ts',
      'test/house/exit-codes.test.ts',
      'test/os/text-width.test.ts',
    ],
  },
  {
    // Its tables are made when it is loaded: a fault in them is tried by every test of the room.
    name: 'redact',
    sources: ['src/core/redact/*.ts'],
    tests: ['test/core/redact/*.test.ts'],
  },
  {
    name: 'closure',
    sources: ['src/process/closure/*.ts'],
    tests: ['test/process/{closure,closure-bounds,same-diagnoses,unseen,wait-text,wrappers}.test.ts'],
  },
  {
    name: 'classify',
    sources: ['src/terminal/classify/*.ts'],
    tests: [
      'test/terminal/{classify,classify-words,consumption,drawn-question,line-looks,prompts,returning-prompt,same-looks,scenarios,seen-relay}.test.ts',
    ],
  },
  {
    name: 'steps',
    sources: ['src/**/step/*.ts', 'src/**/*-step.ts'],
    tests: [
      'test/**/*step*.test.ts',
      'test/cli/{terminal-input,watch-screen}.test.ts',
      'test/process/sampler.test.ts',
      'test/respawn/{detection-status,timers,transition-table}.test.ts',
      'test/sessions/{unknown-hint,no-hooks-step}.test.ts',
      'test/run/{progress,progress-flood,verdict-text}.test.ts',
      'test/loop/idle-backoff.test.ts',
    ],
  },
]
