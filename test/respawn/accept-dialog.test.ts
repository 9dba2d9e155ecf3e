import { expect, test } from 'vitest'
import type { Session } from '../../src/core/session.ts'
import type { ShownDialog } from '../../src/drive/dialog/shown-dialog.ts'
import type { Terminal } from '../../src/drive/open-terminal.ts'
import { acceptDialog } from '../../src/respawn/accept/accept-dialog.ts'
import { ruleFields } from '../../src/respawn/accept/accept-fields.ts'
import { hook, play } from '../support/scenario.ts'

const prompt = hook(1, 'UserPromptSubmit', { prompt_id: 'p1', prompt: 'do it' })
const notice = hook(2, 'Notification', { notification_type: 'permission_prompt' })
const request = hook(3, 'PermissionRequest', {
  prompt_id: 'p1',
  tool_name: 'Bash',
  tool_input: { command: 'touch b.txt' },
})
const bare = play('claude', [prompt, notice], { until: 2 }).session
const told = play('claude', [prompt, notice, request], { until: 3 }).session
const rules = [ruleFields.parse({ for: 'permission', tool: 'Bash', pattern: 'touch [a-z.]+' })]

const dialog = {
  id: 'd1',
  for: 'permission',
  rows: ['Bash command', 'touch b.txt', 'Do you want to proceed?', '❯ 1. Yes', '2. No'],
  options: [
    { number: 1, label: 'Yes' },
    { number: 2, label: 'No' },
  ],
  whole: 'yes',
} as unknown as ShownDialog

async function accepted(looks: readonly Session[], by = rules, shown = dialog) {
  const pressed: string[] = []
  const terminal = {
    dialog: async () => shown,
    answer: async (choice: string, { dialog: id }: { dialog: string }) => {
      pressed.push(`${choice} to ${id}`)
      return { chosen: ['Yes'] }
    },
  } as unknown as Terminal
  let at = 0
  const look = async () => {
    const session = looks[Math.min(at++, looks.length - 1)] as Session
    return { id: 'aaaaaaaa', agent: 'claude', pid: 1, hooks: 'heard' as const, isSeen: true, session }
  }
  const { signal } = new AbortController()
  const result = await acceptDialog({ rules: by, uses: {}, begun: 0, now: 0 }, look, terminal, signal)
  return { result, pressed }
}

test.concurrent('what is asked for may be told after the dialog stands on the screen', async () => {
  const { result, pressed } = await accepted([bare, bare, told])
  expect(result).toMatchObject({ is: 'accepted', rule: 0 })
  expect(pressed).toEqual(['yes to d1'])
})

test.concurrent('a dialog that no rule fits is left, with what the rules were held against', async () => {
  const { result, pressed } = await accepted([bare])
  expect(result).toEqual({
    is: 'left',
    why: 'no rule allows it: “Bash command touch b.txt Do you want to proceed?” (of its screen: no hook reported what it asks for)',
  })
  expect(pressed).toEqual([])
})

const anything = [ruleFields.parse({ for: 'permission', pattern: '[\\s\\S]*' })]

test.concurrent.each(['no', 'perhaps'] as const)(
  'where only the screen tells, and is whole: %s, not even a rule that takes everything fits',
  async whole => {
    const shown = { ...dialog, whole }
    const { result, pressed } = await accepted([bare], anything, shown)
    expect(result).toMatchObject({ is: 'left', why: expect.stringMatching(/^its screen may not show all/) })
    expect(pressed).toEqual([])
    expect((await accepted([bare], anything)).pressed).toEqual(['yes to d1'])
    expect((await accepted([told], anything, shown)).pressed).toEqual(['yes to d1'])
  },
)

test.concurrent('words of an option in what is asked for do not end it', async () => {
  const rows = ['Bash command', 'echo ok', 'echo Yes; rm -rf x', ...dialog.rows.slice(2)]
  const some = [ruleFields.parse({ for: 'permission', pattern: 'Bash command\\necho ok' })]
  expect((await accepted([bare], some, { ...dialog, rows })).pressed).toEqual([])
})
