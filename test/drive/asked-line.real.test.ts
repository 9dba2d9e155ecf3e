/** Text into programs that read keys and make a line of them, and into others whose question looks the same. */
import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, test } from 'vitest'
import { temporaryFile, temporaryFolder } from '../support/lull.ts'
import { hasProgram, tmuxServer } from '../support/tmux-server.ts'
import { until } from '../support/until.ts'

const timeout = 20_000

/** Node's own line editor, as npm init has it. */
const asks = `
const { createInterface } = require('node:readline')
const { writeFileSync } = require('node:fs')
createInterface({ input: process.stdin, output: process.stdout }).question(process.argv[3], answer => {
  writeFileSync(process.argv[2], answer)
  process.exit()
})`

/** An editor of its own, and a file of a library's name in its maps. */
const edits = `
import mmap, os, shutil, sys, tty
shutil.copy(sys.executable, sys.argv[1])
library = mmap.mmap(os.open(sys.argv[1], os.O_RDONLY), 0, prot=mmap.PROT_READ)
tty.setcbreak(0)
os.write(1, 'go ⇒ '.encode())
line = b''
while (key := os.read(0, 1)) not in (b'\\r', b'\\n'):
    line += key
    os.write(1, key)
open(sys.argv[2], 'wb').write(line)`

/** It asks as if for a line, and takes each key for itself. */
const takesKeys = `
const { appendFileSync } = require('node:fs')
process.stdin.setRawMode(true)
process.stdin.on('data', data => appendFileSync(process.argv[2], data))
process.stdout.write(process.argv[3])`

/** A list that is drawn with the cursor hidden, or a question below a clock; both beside timers. */
const draws = `
process.stdin.setRawMode(true)
process.stdin.resume()
process.stdout.write(process.argv[2].replaceAll('\\\\e', '\\x1b'))
if (process.argv[3]) setInterval(() => process.stdout.write('\\x1b7\\x1b[H' + process.hrtime()[1] + '\\x1b8'), 50)
else setInterval(() => {}, 50)`

describe.runIf(hasProgram('tmux'))('a line that is asked for', () => {
  const server = tmuxServer()
  /** What a program has written down of the text that it got. */
  const written = (answer: string, text: string) =>
    until(
      () => existsSync(answer) && readFileSync(answer, 'utf8'),
      found => found === text,
    )
  const node = (script: string, ...args: readonly string[]) =>
    server.terminal(process.execPath, temporaryFile('ask.cjs', script), ...args)

  test.each(['Name? ', 'package name: (kits) '])('takes text: %s', async question => {
    const answer = path.join(temporaryFolder(), 'answer')
    const terminal = await node(asks, answer, question)
    expect(await terminal.waitReady({ timeout })).toMatchObject({
      outcome: 'waitsForPerson',
      state: 'question',
    })
    expect(await terminal.send('ada lovelace')).toMatchObject({ isEntered: true })
    await written(answer, 'ada lovelace')
  })

  if (!hasProgram('fish')) console.warn('skipped: fish is missing (npm run setup-bench)')
  test.runIf(hasProgram('fish'))('by fish takes text', async () => {
    const answer = path.join(temporaryFolder(), 'answer')
    const terminal = await server.terminal('fish', '--no-config', '-c', `read x; echo $x >${answer}`)
    expect(await terminal.waitReady({ timeout })).toMatchObject({
      outcome: 'waitsForPerson',
      state: 'question',
    })
    expect(await terminal.send('ada lovelace')).toMatchObject({ isEntered: true })
    await written(answer, 'ada lovelace\n')
  })

  if (!hasProgram('python3')) console.warn('skipped: python3 is missing')
  test.runIf(hasProgram('python3'))('by an editor of a library takes text, whatever its prompt', async () => {
    const library = path.join(temporaryFolder(), 'libedit.so.2')
    const answer = path.join(temporaryFolder(), 'answer')
    const terminal = await server.terminal('python3', '-c', edits, library, answer)
    await terminal.waitReady({ timeout })
    expect(await terminal.send('ada lovelace')).toMatchObject({ isEntered: true })
    await written(answer, 'ada lovelace')
  })

  test('by its looks alone gets one letter, and no more where that does not show', async () => {
    const keys = path.join(temporaryFolder(), 'keys')
    const terminal = await node(takesKeys, keys, 'What next? ')
    await terminal.waitReady({ timeout })
    await expect(terminal.send('quit')).rejects.toMatchObject({
      code: 'REFUSED_TO_TYPE',
      facts: { outcome: 'waitsForPerson', typed: 1 },
    })
    await written(keys, 'q')
  })

  test.each([
    ['a list to choose from', '? Pick \\u203a\\r\\n\\u276f   a\\r\\n    b\\r\\n\\\\e[?25l', ''],
    ['a question below a clock', '\\\\e[2J\\\\e[3HName: ', 'clock'],
  ])('is a question beside a loop: %s', async (_, drawn, clock) => {
    const terminal = await node(draws, JSON.parse(`"${drawn}"`), clock)
    expect(await terminal.waitReady({ timeout })).toMatchObject({
      outcome: 'waitsForPerson',
      state: 'question',
    })
  })
})
