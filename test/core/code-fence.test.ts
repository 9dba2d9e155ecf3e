import { describe, expect, test } from 'vitest'
import { type Fence, fenceAfter, tailOf } from '../../src/core/text/code-fence.ts'

/** Which fence is open after some lines: `mark length indent`, or nothing. */
function openAfter(...lines: readonly string[]): string {
  let open: Fence | undefined
  for (const line of lines) open = fenceAfter(open, line)
  return open ? `${open.mark} ${open.length} ${open.indent}` : ''
}

describe('a fence', () => {
  test.each([
    ['opens', ['```'], '` 3 0'],
    ['opens with tildes', ['~~~'], '~ 3 0'],
    ['of two marks is none', ['``'], ''],
    ['opens with what it holds', ['```ts'], '` 3 0'],
    ['of backticks holds none behind it: that is code in a line', ['```a`b'], ''],
    ['of tildes may', ['~~~ a~b'], '~ 3 0'],
    ['opens indented', ['   ````'], '` 4 3'],
    ['opens in a list', ['- ```'], '` 3 2'],
    ['opens in a numbered list in a list', ['* 12) ~~~~'], '~ 4 6'],
    ['opens two blanks behind a mark', ['-  ```'], '` 3 3'],
    ['opens behind a tab', ['\t```'], '` 3 1'],
    ['does not open behind text', ['see ```'], ''],
    ['does not open behind a number too long for a list', ['1234567890. ```'], ''],
    ['closes', ['```', '```'], ''],
    ['closes with blanks behind it', ['```', '``` \t'], ''],
    ['closes with more marks', ['```', '`````'], ''],
    ['does not close with fewer', ['````', '```'], '` 4 0'],
    ['does not close with other marks', ['```', '~~~'], '` 3 0'],
    ['does not close with text behind it', ['```', '``` end'], '` 3 0'],
    ['does not close with text before it', ['```', 'a ```'], '` 3 0'],
    ['closes three blanks further in', ['```', '   ```'], ''],
    ['does not close four blanks further in', ['```', '    ```'], '` 3 0'],
    ['in a list closes as far in', ['- ```', '     ```'], ''],
    ['does not close in a list of its own', ['```', '- ```'], '` 3 0'],
  ] as const)('%s', (_, lines, open) => expect(openAfter(...lines)).toBe(open))
})

describe('the end of a text', () => {
  const filler = (length: number) => 'x'.repeat(length)

  test('that is short is all of it', () => {
    expect(tailOf(filler(200), 200)).toBe(filler(200))
  })

  test('begins with a mark where a line was cut', () => {
    const tail = tailOf(`${filler(500)}\nthe end`, 200)
    expect(tail).toMatch(/^…x+\nthe end$/)
    expect(tail.length).toBeLessThanOrEqual(200)
    expect(tail.length).toBeGreaterThan(60)
  })

  test('begins with a whole line where none was cut', () => {
    const last = filler(70)
    expect(tailOf(`${filler(400)}\n${last}`, 200)).toBe(last)
    const fence = `~~~${filler(67)}`
    expect(tailOf(`${filler(400)}\n${fence}`, 200)).toBe(fence)
    expect(tailOf(`${filler(400)}\n${filler(69)}`, 200)).toBe(`…\n${filler(69)}`)
  })

  test('opens a fence again that was open', () => {
    expect(tailOf(`~~~~\n${filler(400)}\n~~~~\nthe end`, 200)).toMatch(/^~~~~\n…x+\n~~~~\nthe end$/)
    expect(tailOf(`- ~~~~\n${filler(400)}\n  ~~~~\nthe end`, 200)).toMatch(/^ {2}~~~~\n…x+/)
    expect(tailOf(`\`\`\`\r\n${filler(300)}\r\n\`\`\`\r\n${filler(300)}`, 200)).toMatch(/^…x+$/)
    expect(tailOf(`\`\`\`\n${filler(400)}`, 200)).toMatch(/^```\n…x+$/)
  })

  test('opens it whatever stands before it, and none that was closed', () => {
    const before = `intro\n~~~\ncode\n~~~\nmore\n`
    expect(tailOf(`${before}~~~~\n${filler(400)}\nthe end`, 200)).toMatch(/^~~~~\n…x+\nthe end$/)
    expect(tailOf(`${before}${filler(400)}\nthe end`, 200)).toMatch(/^…x+\nthe end$/)
  })

  test('opens one that the line opened which is cut, where more lines follow', () => {
    const fence = `${'`'.repeat(3)}${filler(400)}`
    expect(tailOf(`${fence}\nthe end`, 200)).toMatch(/^```\n…x+\nthe end$/)
    expect(tailOf(fence, 200)).toMatch(/^…x+$/)
  })

  test('is never longer than asked, whatever stood before it', () => {
    for (const mark of ['`', '~'])
      for (const length of [3, 64, 65, 300])
        for (const indent of [0, 64, 65, 300]) {
          const fence = `${' '.repeat(indent)}${mark.repeat(length)}`
          const tail = tailOf(`${fence}\n${filler(1000)}`, 200)
          expect(tail.length).toBeLessThanOrEqual(200)
          const kept = `${' '.repeat(Math.min(indent, 64))}${mark.repeat(Math.min(length, 64))}\n…x`
          expect(tail.startsWith(kept)).toBe(true)
        }
  })
})
