import { availableParallelism } from 'node:os'
import path from 'node:path'
import { defineConfig } from 'vitest/config'

// Most of the time is spent waiting for programs: a worker a core, where Vitest would leave one free.
const maxWorkers = availableParallelism()

// Each lull that a test starts has a home of its own: without this one each would compile all its files, and write 700 at its end.
const env = { NODE_COMPILE_CACHE: path.resolve('node_modules/.cache/lull/compile') }

// What takes long on a machine that others load is no failure.
const [testTimeout, hookTimeout] = [20_000, 60_000]

export default defineConfig({
  test: { include: ['test/**/*.test.ts'], testTimeout, hookTimeout, maxWorkers, env },
})
