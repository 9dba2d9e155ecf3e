import { expect, test, vi } from 'vitest'
import type { ShownDialog } from '../../src/drive/dialog/shown-dialog.ts'
import type { Terminal } from '../../src/drive/open-terminal.ts'
import { acceptDialog } from '../../src/respawn/accept/accept-dialog.ts'
import { ruleFields } from '../../src/respawn/accept/accept-fields.ts'
import type { Judgement } from '../../src/respawn/judge/judge-driver.ts'
import type { LiveSession } from '../../src/sessions/session-source.ts'
import { hook, play } from '../support/scenario.ts'

const prompt = hook(1, 'UserPromptSubmit', { prompt_id: 'p1', prompt: 'plan it' })
const plan = hook(9, 'PermissionRequest', {
  prompt_id: 'p1',
  tool_name: 'ExitPlanMode',
  tool_input: { plan: 'Write the tests first.' },
})
const told = play('claude', [prompt, plan], { until: 9 }).session
const { verdict } = told
/** The same state, of which the screen alone tells. */
const shown = {
  ...told,
  verdict: { ...verdict, because: verdict.because.map(evidence => ({ ...evidence, type: 'sign' })) },
} as typeof told

const dialog: ShownDialog = {
  for: 'plan',
  rows: ['Write the tests first.', 'Would you like to proceed?', '❯ 1. Yes', '  2. No'],
  options: [
    { number: 1, label: 'Yes' },
    { number: 2, label: 'No' },
  ] as unknown as ShownDialog['options'],
  whole: 'yes',
  id: 'd1',
  question: 'Would you like to proceed?',
}

function accepting(
  session: typeof told,
  rule: object,
  says?: Judgement<'plan'>['says'],
  whole: ShownDialog['whole'] = 'yes',
) {
  const answer = vi.fn(async () => ({ chosen: ['Yes'] }))
  const terminal = { dialog: async () => ({ ...dialog, whole }), answer } as unknown as Terminal
  const judge = vi.fn(async () => ({ says: says ?? 'error', why: 'as I see it', again: 0 }) as const)
  const live = { id: 'a', agent: 'claude', session } as unknown as LiveSession
  const rules = [ruleFields.parse(rule)]
  const result = acceptDialog(
    { rules, uses: {}, begun: 0, now: 0 },
    async () => live,
    terminal,
    new AbortController().signal,
    says && judge,
  )
  return { result, answer, judge }
}

test.concurrent('a plan is accepted by a rule that names plans, and by no other', async () => {
  expect(verdict.state).toMatchObject({ kind: 'waiting', for: 'plan' })
  const named = accepting(told, { for: 'plan' })
  expect(await named.result).toMatchObject({ is: 'accepted', rule: 0 })
  expect(named.answer).toHaveBeenCalledWith('yes', { dialog: 'd1', signal: expect.any(AbortSignal) })
  const other = accepting(told, { for: 'permission', pattern: '.*' })
  expect(await other.result).toMatchObject({ is: 'left' })
  expect(other.answer).not.toHaveBeenCalled()
})

test.concurrent('of a plan that the agent told of no judge is asked', async () => {
  const { result, judge } = accepting(told, { for: 'plan' }, 'NOT_PLAN')
  expect(await result).toMatchObject({ is: 'accepted' })
  expect(judge).not.toHaveBeenCalled()
})

test.concurrent('a plan of which only the end stands on the screen is one where the agent told so', async () => {
  expect(await accepting(told, { for: 'plan' }, undefined, 'no').result).toMatchObject({ is: 'accepted' })
  expect(await accepting(shown, { for: 'plan' }, 'PLAN', 'no').result).toMatchObject({ is: 'left' })
})

test.concurrent.each(['PLAN', 'NOT_PLAN', 'error'] as const)(
  'of a plan that only the screen tells of the judge is asked, and says %s',
  async says => {
    const { result, answer } = accepting(shown, { for: 'plan' }, says)
    expect(await result).toMatchObject({ is: says === 'PLAN' ? 'accepted' : 'left' })
    expect(answer).toHaveBeenCalledTimes(says === 'PLAN' ? 1 : 0)
  },
)
