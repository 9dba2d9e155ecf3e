import { expect, test } from 'vitest'
import { channel } from '../../src/core/evidence/signal.ts'

test('what comes through one terminal is one witness, and all else each its own', () => {
  const through = Map.groupBy(Object.entries(channel), ([, name]) => name)
  expect(
    Object.fromEntries([...through].map(([name, rows]) => [name, rows.map(([source]) => source)])),
  ).toEqual({
    hook: ['hook'],
    transcript: ['transcript'],
    rows: ['rows'],
    status: ['status'],
    terminal: ['osc7501', 'title', 'progress', 'paint', 'screen'],
    keys: ['keys'],
    process: ['process'],
    session: ['session'],
  })
})
