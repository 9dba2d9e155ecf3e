import { expect, test } from 'vitest'
import { agentNames } from '../../src/agents/agent-names.ts'
import { nearNames } from '../../src/core/text/near-names.ts'

test.each([
  ['cladue', ['claude']],
  ['Codx', ['codex']],
  ['claude-code', ['claude']],
  ['open', ['opencode']],
  ['emacs', []],
  ['x', []],
  ['', []],
])('who wrote %j may have meant %j', (written, expected) => {
  expect(nearNames(written, agentNames)).toEqual(expected)
})

test('the nearest comes first', () => {
  expect(nearNames('builds', ['buildxy', 'build'])).toEqual(['build', 'buildxy'])
})
