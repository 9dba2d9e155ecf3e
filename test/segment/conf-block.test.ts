/** lull's lines in a tmux.conf: in, out, and nothing else changed. */
import { describe, expect, test } from 'vitest'
import { withBlock, withoutBlock } from '../../src/segment/install/conf-block.ts'
import { bindingLine } from '../../src/segment/install/install-segment.ts'

const file = '/home/dev/.tmux.conf'
const go = bindingLine('g', ['lull', 'go'])
const texts: readonly string[] = [
  '',
  '\n',
  'set -g mouse on\n',
  'set -g mouse on',
  'set -g mouse on\r\n# ende',
  'set -g status-left a \\\n',
  'set -g status-left a \\',
  '\n\n\n',
  'set -g @a "日本"\n\n',
]

describe('taking the lines out gives back what was there', () => {
  test.each(texts)('%j', text => {
    const there = withBlock(text, file, go)
    expect(there.startsWith(text)).toBe(true)
    expect(withBlock(there, file)).toBe(there)
    expect(withoutBlock(there, file)).toBe(text)
    const behind = `${there}set -g @later 1\n`
    expect(withoutBlock(behind, file)).toBe(
      `${text}${text.endsWith('\n') || text === '' ? '' : ''}set -g @later 1\n`,
    )
  })

  test('where there was no file, none is left', () => {
    expect(withoutBlock(withBlock(undefined, file), file)).toBeUndefined()
    expect(withoutBlock('set -g mouse on\n', file)).toBe('set -g mouse on\n')
  })
})

test('a key stays bound where none is given, and is another where one is', () => {
  const there = withBlock('', file, go)
  expect(there).toContain('bind-key "g" run-shell "lull go"\n')
  expect(withBlock(there, file)).toBe(there)
  const other = withBlock(there, file, bindingLine('"', ['/opt/a b#{pid}/lull', 'go']))
  expect(other).toContain(String.raw`bind-key "\042" run-shell "'/opt/a b##{pid}/lull' go"`)
  expect(withoutBlock(other, file)).toBe('')
})

test.each([
  ['# lull: begin\nset -g mouse on\n# lull: end\n', ':2'],
  ['x\n# lull: begin\n', ':2'],
  ['# lull: end\n', ':1'],
  ['# lull: begin\n# lull: begin\n# lull: end\n', ':1'],
  ['# lull: end\n# lull: begin\n', ':2'],
])('lines that were changed by hand are left as they are: %j', (text, where) => {
  for (const act of [withBlock, withoutBlock])
    expect(() => act(text, file)).toThrow(`${file}${where}: lull's lines were changed by hand`)
})
