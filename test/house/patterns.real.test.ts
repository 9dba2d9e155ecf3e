/** No text makes a regular expression try for ever: how each grows stands in patterns.json, so that recheck is asked about new ones alone. */
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { readModules } from '../../scripts/house/modules.ts'
import { growthOf, makersOf, nameOf, patternsOf } from '../../scripts/house/patterns.ts'

const modules = readModules(path.resolve(import.meta.dirname, '../../src'))
const patterns = patternsOf(modules)
const growth = JSON.parse(readFileSync(new URL('patterns.json', import.meta.url), 'utf8')) as Record<
  string,
  string
>

/** Files whose patterns may grow faster, as what they read is short. */
const short: Readonly<Record<string, string>> = {
  'agents/aider/agent.ts': 'a row of at most `longestRow` characters',
  'agents/claude/agent.ts': 'a row of at most `longestRow` characters',
  'agents/codex/agent.ts': 'a row of at most `longestRow` characters',
  'agents/droid/agent.ts': 'a row of at most `longestRow` characters',
  'agents/goose/agent.ts': 'a row of at most `longestRow` characters',
  'agents/grok/agent.ts': 'a row of at most `longestRow` characters',
  'agents/kimi/agent.ts': 'a row of at most `longestRow` characters',
  'agents/qwen/agent.ts': 'a row of at most `longestRow` characters',
  'agents/screen/common-rules.ts': 'a row of at most `longestRow` characters',
  'agents/screen/find-dialog.ts': 'a row of at most `longestRow` characters',
  'agents/screen/screen-rows.ts': 'a row of at most `longestRow` characters',
  'core/text/duration.ts': 'read of a text that `whole` took',
  'hooks/install/cli-program.ts': 'a path',
  'loop/marker/marker.ts': 'a line of at most `longestMarker` characters',
  'os/tmux/tmux-server.ts': 'what tmux says of its version',
  'process/linux/call/file-locks.ts': 'lines of the kernel’s, without a text of anyone’s',
  'process/linux/cgroups.ts': 'lines of the kernel’s, of the groups of a process',
  'process/linux/details.ts': 'the first 4096 bytes of a command line',
  'process/linux/linux-reader.ts': 'lines of the kernel’s, of the folders in which proc is mounted',
  'process/macos/ps.ts': 'a line: its last part takes whatever is left',
  'run/step/progress.ts': 'the first `longestLine` characters of a line',
  'terminal/classify/drawn-question.ts': 'the last `longest` characters of a line, or a line of no more',
  'terminal/classify/menus.ts': 'the last `longest` characters of a line',
  'terminal/classify/prompts.ts': 'the last `longest` characters of a line',
  'terminal/classify/shells.ts': 'the name of a file',
}

/** Files that make patterns of a text. */
const makers: Readonly<Record<string, string>> = {
  'agents/kit/agent-files.ts': 'of the globs of agents’ own tables',
  'core/redact/issued-keys.ts': 'of its table; test/core/redact/redact.test.ts proves that it is linear',
  'core/text/row-pattern.ts':
    'of a row; test/core/row-pattern.real.test.ts proves that hostile ones take no longer',
  'drive/wait/printed-lines.ts':
    'of its alternatives; test/drive/wait-steps.test.ts proves that they are linear',
  'os/linear-pattern.ts': 'of a user’s text: RE2 is linear',
  'process/linux/call/file-locks.ts': 'of the number of an inode',
  'process/linux/details.ts': 'of the name of a field',
}

test('each is linear, but where what it reads is short', async () => {
  const files = new Set<string>()
  for (const pattern of patterns) {
    const found = growth[nameOf(pattern)] ?? (await growthOf(pattern))
    expect(found, `${pattern.file}: ${nameOf(pattern)}`).not.toBe('unknown')
    if (found !== 'linear') files.add(pattern.file)
  }
  expect([...files].sort()).toEqual(Object.keys(short))
}, 300_000)

test('those that are made of a text are known', () => {
  expect(makersOf(modules)).toEqual(Object.keys(makers))
})

test('one that tries for ever is found', async () => {
  const bad = { file: '', source: '^(?:a|aa)+$', flags: '' }
  expect(await growthOf(bad)).toBe('exponential')
  expect(await growthOf({ ...bad, source: '\\d+x' })).toBe('2nd degree polynomial')
  expect(await growthOf({ ...bad, source: '(?<!\\d)\\d+x' })).toBe('linear')
})
