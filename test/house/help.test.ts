/** Each command's help shows an example, and each example is one that lull takes. */
import type { Command } from 'commander'
import { describe, expect, test } from 'vitest'
import { readDuration } from '../../src/cli/flags/flag-values.ts'
import { readRunFlags } from '../../src/cli/flags/run-flags.ts'
import { commandGroups, examples } from '../../src/cli/help.ts'
import { program } from '../../src/cli/program.ts'
import { allOf, type Listed, parsed, wordsOf } from '../support/parsed-command.ts'

const whole = await program('0')
const all = allOf(whole)
/** A group alone is no command: it shows those that it has. */
const isGroup = ({ command }: Listed): boolean =>
  command.commands.length > 0 && command.registeredArguments.length === 0 && command.options.length === 0

test('each command stands in one group of lull --help', () => {
  const shown = whole
    .createHelp()
    .visibleCommands(whole)
    .map(command => command.name())
  const grouped = Object.values(commandGroups).flat()
  expect(grouped.toSorted()).toEqual(shown.filter(name => name !== 'help').toSorted())
})

test.each(whole.commands.map(command => command.name()))(
  'loads for lull %s what all commands have of it',
  async name => {
    const described = (command: Command) =>
      allOf(command)
        .filter(({ path }) => path.split(' ')[0] === name)
        .map(one => [one.path, one.command.helpInformation()])
    expect(described(await program('0', name))).toEqual(described(whole))
  },
)

describe('examples', () => {
  test('each command has one, and no other is there', () => {
    const wanted = all.filter(one => one.path === '' || !isGroup(one)).map(({ path }) => path)
    expect(Object.keys(examples).toSorted()).toEqual(wanted.toSorted())
    for (const [path, shown] of Object.entries(examples))
      expect({ path, shown }).not.toEqual({ path, shown: [] })
  })

  const shown = Object.entries(examples).flatMap(([path, texts]) => texts.map(text => ({ path, text })))

  test.each(shown.filter(({ path }) => path !== '' && path !== 'run'))('$text', async ({ path, text }) => {
    const found = await parsed(wordsOf(text))
    // That of a group may be one of its commands.
    expect(found?.path.split(' ')[0]).toBe(path.split(' ')[0])
    if (path.includes(' ')) expect(found?.path).toBe(path)
    for (const option of found?.command.options ?? []) {
      const value: unknown = found?.command.getOptionValue(option.attributeName())
      if (option.flags.includes('<time>') && typeof value === 'string')
        expect(readDuration(option.flags, value)).toBeGreaterThan(0)
    }
  })

  test.each(examples.run ?? [])('%s', text => {
    const [, ...words] = wordsOf(text)
    expect(readRunFlags(words).words.length).toBeGreaterThan(0)
  })

  test.each(all.filter(({ path }) => (examples[path] ?? []).length > 0))(
    'stand in the help of lull $path',
    ({ path, command }) => {
      let help = ''
      command.configureOutput({ writeOut: text => (help += text) })
      command.outputHelp()
      for (const text of examples[path] ?? []) expect(help).toContain(`  $ ${text}\n`)
    },
  )
})

test('a help with a <time> says how times are written', () => {
  const [wait] = all.filter(({ path }) => path === 'wait')
  let help = ''
  wait?.command.configureOutput({ writeOut: text => (help += text) })
  wait?.command.outputHelp()
  expect(help).toContain('a bare number is seconds')
})
