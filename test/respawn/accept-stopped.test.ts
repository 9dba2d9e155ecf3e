import { expect, test } from 'vitest'
import type { Terminal } from '../../src/drive/open-terminal.ts'
import { refusedToType } from '../../src/drive/refusal.ts'
import { acceptDialog } from '../../src/respawn/accept/accept-dialog.ts'
import { ruleFields } from '../../src/respawn/accept/accept-fields.ts'
import { liveOf } from '../support/respawn-runner.ts'
import { hook, play } from '../support/scenario.ts'

const asks = hook(1, 'PermissionRequest', { tool_name: 'Bash', tool_input: { command: 'npm test' } })

test('stop while a dialog is being answered: no key more', async () => {
  const stop = new AbortController()
  const dialog = {
    id: 'd1',
    for: 'permission',
    rows: ['npm test', '❯ 1. Yes'],
    options: [{ label: 'Yes', isPointed: true }],
  }
  const pressed: string[] = []
  const terminal = {
    dialog: async () => dialog,
    async answer(_: string, { signal }: Parameters<Terminal['answer']>[1] = {}) {
      stop.abort()
      if (signal?.aborted) throw refusedToType('failed', 'it was called off')
      pressed.push('Enter')
      return { chosen: ['Yes'] }
    },
  } as unknown as Terminal
  const live = liveOf(play('claude', [asks], { until: 2 }).session)
  const rules = [ruleFields.parse({ for: 'permission', pattern: '.*' })]
  const result = await acceptDialog(
    { rules, uses: {}, begun: 0, now: 0 },
    async () => live,
    terminal,
    stop.signal,
  )
  expect(result).toMatchObject({ is: 'left', why: expect.stringContaining('called off') })
  expect(pressed).toEqual([])
})
