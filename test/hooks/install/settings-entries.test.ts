/** What lull writes into a settings file and takes out of it again, as text. */
import fc from 'fast-check'
import { parse } from 'jsonc-parser'
import { describe, expect, test } from 'vitest'
import { hookCommand } from '../../../src/hooks/hook-command.ts'
import {
  type Entries,
  entriesIn,
  withEntries,
  withoutEntries,
} from '../../../src/hooks/install/settings-entries.ts'
import { settingsText } from '../../support/settings.ts'

const entries = (events: readonly string[], forwarder = '/data/hook', group = {}): Entries => ({
  handlers: new Map(
    events.map(event => [event, { type: 'command', command: hookCommand(forwarder, 'claude') }]),
  ),
  group,
})
const wanted = entries(['SessionStart', 'Stop', 'PreToolUse'])
const file = 'settings.json'

const install = (text: string | undefined, what = wanted): string => withEntries(text, file, what)
const uninstall = (text: string): string | undefined => withoutEntries(text, file)
const eventsIn = (text: string): string[] => entriesIn(text, file).map(({ event }) => event)

describe('any settings file', () => {
  test('has its own bytes back after install and uninstall', () => {
    fc.assert(
      fc.property(settingsText, text => void expect(uninstall(install(text))).toBe(text)),
      { numRuns: 500 },
    )
  })

  test('says all that it said, and ours once at each event', () => {
    fc.assert(
      fc.property(settingsText, text => {
        const installed = install(text)
        const before = parse(text) as Record<string, unknown>
        const after = parse(installed) as Record<string, unknown>
        expect({ ...after, hooks: 0 }).toEqual({ ...before, hooks: 0 })
        expect(eventsIn(installed).sort()).toEqual([...wanted.handlers.keys()].sort())
        const hooks = (x: unknown) => (x as { hooks?: Record<string, unknown[]> }).hooks ?? {}
        for (const [event, groups] of Object.entries(hooks(before))) {
          expect(hooks(after)[event]?.slice(0, groups.length)).toEqual(groups)
        }
      }),
      { numRuns: 500 },
    )
  })

  test('does not change when lull is installed again', () => {
    fc.assert(
      fc.property(settingsText, text => void expect(install(install(text))).toBe(install(text))),
      { numRuns: 500 },
    )
  })

  test('keeps no trace of an older version after an update and an uninstall', () => {
    const older = entries(['Stop', 'Gone', 'SessionStart'], "/old/it's/hook", { matcher: '*' })
    fc.assert(
      fc.property(settingsText, text => {
        const updated = install(install(text, older))
        expect(eventsIn(updated).sort()).toEqual([...wanted.handlers.keys()].sort())
        expect(updated).not.toContain('/old/')
        expect(parse(uninstall(updated) ?? '')).toEqual(parse(text))
      }),
      { numRuns: 500 },
    )
  })
})
