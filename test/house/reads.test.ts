/** Files are read in one way: what else opens one says why it may. */
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { readModules } from '../../scripts/house/modules.ts'

const src = path.resolve(import.meta.dirname, '../../src')

const opener = 'os/file/plain-file.ts'

/** Why a file opens something by itself. */
const others: Readonly<Record<string, string>> = {
  'os/proc/proc-file.ts': 'files of the kernel: they have no size, and end',
  'process/linux/activity-poll.ts': 'files of the kernel, kept open',
  'os/tty/tty.ts': 'a terminal, which is no file',
  'os/tty/write-terminal.ts': 'a terminal, which is no file',
  'os/file/fifo.ts': 'a pipe that it has made itself',
  'hooks/install/replace-file.ts': 'writes, and syncs a folder',
  'os/file/open-output.ts': 'writes',
  'host/start-host.ts': 'writes',
  'owned/start-server.ts': 'writes',
  'run/child/follow-output.ts': 'what the command has inherited already',
  'cli/main.ts': 'the package.json of lull itself',
  'hooks/hook-module.ts': 'text: the module runs in an agent, where it can import nothing of lull',
}
/** Which patterns look for an installed program's own files. */
const globs = ['hooks/install/cli-program.ts']

const opens = /\b(open|openSync|openAsBlob|readFile|readFileSync|createReadStream|opendir|opendirSync)\b/
const imports = /^import\s+(?:type\s+)?([^'"]*?)\s+from\s+['"]node:(fs|fs\/promises)['"]/gm

const importsOf = (file: string): string =>
  [...readFileSync(path.join(src, file), 'utf8').matchAll(imports)].map(([, names]) => names).join(',')

const files = readModules(src).map(({ file }) => file)

test('one file opens what is read; each other one that opens something is known', () => {
  const found = files.filter(file => opens.test(importsOf(file)))
  expect(found.sort()).toEqual([opener, ...Object.keys(others)].sort())
})

test('nobody takes all of node:fs, or gets it in another way', () => {
  expect(files.filter(file => /\*|^\w+$|,\s*\w+\s+from/.test(importsOf(file).trim()))).toEqual([])
  const around = /(require|getBuiltinModule)\(['"](node:)?fs|import\(['"](node:)?fs/
  expect(files.filter(file => around.test(readFileSync(path.join(src, file), 'utf8')))).toEqual([])
})

test('patterns are looked for without following links', () => {
  expect(files.filter(file => /\bglob(Sync)?\b/.test(importsOf(file)))).toEqual(globs)
})

test('no line is told from the next by anything but its line feed', () => {
  expect(files.filter(file => /createInterface/.test(readFileSync(path.join(src, file), 'utf8')))).toEqual([])
})
