/** The situations of `npm run test:agents`, named as people name them, in the order of the play. */
export const playNames = [
  'short',
  'long stream',
  'silent tool',
  'permission, then a long tool',
  'question',
  'subagent that asks',
  'background work',
  'queued prompt',
  '429',
  'interrupt',
  'stalled stream',
  '/compact',
  'command of its person',
  'menu of its person',
  'plan',
  'resume',
  'kill -9',
] as const

export type PlayName = (typeof playNames)[number]
