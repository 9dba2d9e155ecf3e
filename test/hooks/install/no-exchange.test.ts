/** Where the system can't swap two files: a new version is renamed over the old one, which stays in reach until it is quiet. */
import { closeSync, openSync, readdirSync, readFileSync, writeFileSync, writeSync } from 'node:fs'
import path from 'node:path'
import { expect, test, vi } from 'vitest'
import { editFile, type FileKind } from '../../../src/hooks/install/edit-file.ts'
import { temporaryFile } from '../../support/lull.ts'

vi.mock('../../../src/os/file/exchange.ts', () => ({
  exchange: () => false,
  hasWriter: () => undefined,
}))

/** Appends a line of ours; `meanwhile` happens between lull's first reading and its writing. */
async function addLine(text: string, meanwhile: (file: string) => void = () => {}): Promise<string> {
  const file = temporaryFile('settings', text)
  let isFirst = true
  const kind: FileKind = {
    mode: 0o600,
    isWhole: () => true,
    merge: (_base, _theirs, now) => now,
    edit(now = '') {
      if (isFirst) meanwhile(file)
      isFirst = false
      return now.includes('ours\n') ? now : `${now}ours\n`
    },
  }
  await editFile(file, kind, async () => {})
  expect(readdirSync(path.dirname(file))).toEqual(['settings'])
  return readFileSync(file, 'utf8')
}

test('the new version is there, and nothing is left behind', async () => {
  expect(await addLine('theirs\n')).toBe('theirs\nours\n')
})

test('what another program writes into the old file meanwhile is not lost', async () => {
  expect(await addLine('theirs\n', file => writeFileSync(file, 'newer\n'))).toBe('newer\nours\n')
})

test('nor what a program writes that has the old file open', async () => {
  const openNowWriteLater = (file: string) => {
    const fd = openSync(file, 'a')
    setTimeout(() => {
      writeSync(fd, 'late\n')
      closeSync(fd)
    }, 20)
  }
  expect(await addLine('theirs\n', openNowWriteLater)).toBe('theirs\nlate\nours\n')
})
