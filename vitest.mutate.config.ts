import { globSync } from 'node:fs'
import path from 'node:path'
import { defineConfig } from 'vitest/config'
import { mutatedRooms } from './scripts/house/mutated-rooms.ts'

/** The tests of the room that `npm run mutate` is at; of all of them where none is named. */
const { LULL_MUTATED_ROOM: name } = process.env
const rooms = mutatedRooms.filter(room => name === undefined || room.name === name)
const tests = [
  ...new Set(rooms.flatMap(room => globSync([...room.tests], { cwd: import.meta.dirname }))),
].sort()

/** Stands for all of them: one worker that loads the sources once is four times as fast as a worker for each file. */
const entry = 'test/support/mutated-room.ts'

export default defineConfig({
  test: { include: [entry] },
  plugins: [
    {
      name: 'mutated-room',
      enforce: 'pre',
      transform(code, id) {
        if (id.endsWith(entry))
          return tests.map(file => `import '${path.join(import.meta.dirname, file)}'`).join('\n')
        // A property is tried thousands of times elsewhere; here each of thousands of mutants tries it.
        return id.endsWith('.test.ts') ? code.replaceAll(/numRuns: \d+/g, 'numRuns: 30, seed: 1') : undefined
      },
    },
  ],
})
