import { availableParallelism } from 'node:os'
import { defineConfig } from 'vitest/config'

// Most of the time is spent waiting for programs: a worker a core, where Vitest would leave one free.
const maxWorkers = availableParallelism()

export default defineConfig({ test: { include: ['test/**/*.test.ts'], hookTimeout: 60_000, maxWorkers } })
