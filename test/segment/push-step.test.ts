/** What a tmux server is asked to set, and under which condition. That it does so: test/segment/pushed.real.test.ts. */
import { expect, test } from 'vitest'
import { cleared, pushed } from '../../src/segment/step/push-step.ts'

test('a text is set where it is news, or where the one that is there is believed for less than a minute and a half more', () => {
  expect(pushed({ text: '1 wait', run: 'h7', count: 3 }, 1000)).toEqual({
    condition: '#{&&:#{==:#{@lull-push},on},#{||:#{!=:#{@lull-id},h7-3},#{e|<:#{@lull-until},1090}}}',
    commands: [
      ['set-option', '-g', '@lull', '1 wait'],
      ['set-option', '-g', '@lull-until', '1150'],
      ['set-option', '-g', '@lull-id', 'h7-3'],
    ],
  })
})

test('a host takes back what is its own', () => {
  expect(cleared('h7')).toEqual({
    condition: '#{&&:#{==:#{@lull-push},on},#{m:h7-*,#{@lull-id}}}',
    commands: [
      ['set-option', '-gu', '@lull'],
      ['set-option', '-gu', '@lull-until'],
      ['set-option', '-gu', '@lull-id'],
    ],
  })
})
