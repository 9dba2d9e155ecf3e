import { availableParallelism } from 'node:os'
import path from 'node:path'
import { defineConfig } from 'vitest/config'

// A worker a core, where Vitest would leave one free; two where most of the time is spent waiting for programs.
const cores = availableParallelism()

// Each lull that a test starts has a home of its own: without this one each would compile all its files, and write 700 at its end.
const env = { NODE_COMPILE_CACHE: path.resolve('node_modules/.cache/lull/compile') }

// What takes long on a machine that others load is no failure.
const [testTimeout, hookTimeout] = [120_000, 120_000]

// A test that starts programs or opens sockets is named NAME.real.test.ts; in `pure` it fails. One that needs a browser or several
// machines is named NAME.e2e.test.ts.
const real = 'test/**/*.real.test.ts'
const endToEnd = 'test/**/*.e2e.test.ts'

export default defineConfig({
  test: {
    testTimeout,
    hookTimeout,
    env,
    setupFiles: ['test/support/each-file.ts'],
    globalSetup: 'test/support/no-leftovers.ts',
    projects: [
      {
        extends: true,
        test: {
          name: 'pure',
          include: ['test/**/*.test.ts'],
          exclude: [real, endToEnd],
          setupFiles: ['test/support/no-programs.ts'],
          pool: 'threads',
          isolate: false,
          maxWorkers: cores,
        },
      },
      {
        extends: true,
        test: { name: 'real', include: [real], maxWorkers: 3 * cores, sequence: { groupOrder: 1 } },
      },
      {
        extends: true,
        test: { name: 'e2e', include: [endToEnd], maxWorkers: 2 * cores, sequence: { groupOrder: 2 } },
      },
    ],
  },
})
