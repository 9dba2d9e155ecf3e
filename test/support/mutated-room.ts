/** In its place stand all tests of a room, where `npm run mutate` runs: vitest.mutate.config.ts. */
