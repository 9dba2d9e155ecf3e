import { spawnSync } from 'node:child_process'
import { expect, test } from 'vitest'
import { lastProcess } from '../../src/sessions/discover/system-table.ts'

test.runIf(process.platform === 'linux')('a process that has begun and ended leaves another word', () => {
  const before = lastProcess()
  expect(before).toMatch(/^\d+ \d+$/)
  spawnSync('true')
  expect(lastProcess()).not.toBe(before)
})
