/** The file of the rules as it comes, changes, is wrong and goes, on a clock by hand. */
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { holdNotify } from '../../src/notify/hold-notify.ts'
import { placesOf } from '../../src/os/file/places.ts'
import { fakeLive, news, permission, prompt, settle } from '../support/live.ts'
import { temporaryFolder } from '../support/lull.ts'
import { until } from '../support/until.ts'

test('holds as long as there are rules, by the last that were right', async () => {
  const home = temporaryFolder()
  const env = {
    HOME: home,
    XDG_STATE_HOME: path.join(home, 'state'),
    LULL_RUNTIME_DIR: path.join(home, 'run'),
  }
  const file = path.join(home, '.config/lull/notify.yaml')
  mkdirSync(path.dirname(file), { recursive: true, mode: 0o700 })
  const write = (text: string) => writeFileSync(file, text, { mode: 0o600 })
  const { live, clock, file: tell, readers } = fakeLive()
  const complaints: string[] = []
  const sent: string[] = []
  let isBroken = true
  const held = holdNotify({
    env,
    places: placesOf(env),
    clock,
    complain: sentence => void complaints.push(sentence),
    sessions: {
      ...live,
      changes: async () => {
        if (isBroken) throw new Error('not yet')
        return live.changes()
      },
    },
    ports: {
      minute: () => 0,
      personNear: async () => undefined,
      deliver: async (to, message) => {
        sent.push(`${to.by}: ${message.title}`)
        return { is: 'done' }
      },
    },
  })
  onTestFinished(() => held.close())
  const later = async <T>(ask: () => T, isRight: (answer: T) => boolean) =>
    until(async () => {
      clock.advance(500)
      await settle()
      return ask()
    }, isRight)

  tell('a', prompt(0), news(1, permission))
  await later(
    () => clock.now(),
    now => now > 5000,
  )
  expect(readers()).toBe(0)
  write('to: {desk: {desktop: true}}')
  await later(
    () => complaints.length,
    count => count > 0,
  )
  expect(complaints[0]).toBe('notifications: not yet')
  isBroken = false
  await later(
    () => sent.length,
    count => count === 1,
  )
  expect(sent).toEqual(['desktop: claude api: waiting for a permission'])
  write('to: {desk: {desktop: 1}}')
  await later(
    () => complaints.at(-1),
    text => text?.includes('notify.yaml:1:22: to.desk.desktop must be true') === true,
  )
  expect(complaints.at(-1)).toMatch(/; the rules before hold$/)
  tell('b', prompt(clock.now()), news(clock.now(), permission))
  await later(
    () => sent.length,
    count => count === 2,
  )
  write('to: {bell: {terminal: bell}}')
  await later(
    () => sent.length,
    count => count > 2,
  )
  expect(sent.slice(2)).toEqual([
    'terminal: claude api: waiting for a permission',
    'terminal: claude api: waiting for a permission',
  ])
  rmSync(file)
  await later(readers, count => count === 0)
})
