/** What the system says when it refuses, in words that a person can do something about. */
import { expect, test } from 'vitest'
import { isOfMachine, notWritten } from '../../src/core/error-sentence.ts'
import { exhaustionOf, refusalOf, whyNot } from '../../src/core/system-refusal.ts'

const failed = (code: string): Error => Object.assign(new Error('it failed'), { code })

test.each([
  ['EPERM', /this user may not change it/],
  ['EROFS', /read-only/],
  ['ENOSPC', /no space/],
  ['EDQUOT', /quota/],
  ['EFBIG', /ulimit -f/],
  ['EEXIST', /is there already/],
  ['ENOTEMPTY', /not empty/],
  ['ELOOP', /in a circle/],
  ['ENOTDIR', /a file, not a folder/],
  ['ENXIO', /nothing stands behind/],
  ['ENODEV', /nothing stands behind/],
  ['EBUSY', /in use/],
  ['ETXTBSY', /runs as a program/],
  ['EXDEV', /another file system/],
  ['EMLINK', /no other name/],
  ['ENOTSUP', /can’t do that/],
  ['ENOSYS', /can’t do that/],
  ['ENAMETOOLONG', /too long/],
  ['EMFILE', /ulimit -n/],
  ['ENFILE', /on this machine/],
  ['ENOMEM', /no memory/],
  ['EAGAIN', /ulimit -u/],
  ['ESTALE', /lost it/],
  ['ETIMEDOUT', /does not answer/],
  ['EPIPE', /reads it any more/],
])('%s', (code, words) => {
  expect(refusalOf(failed(code))).toMatch(words)
  expect(whyNot(failed(code))).toMatch(words)
})

test('what it did not refuse is said as it was', () => {
  expect(refusalOf(failed('ECONNRESET'))).toBeUndefined()
  expect(refusalOf({ code: 'EIO' })).toBeUndefined()
  expect(whyNot(new Error('of ours'))).toBe('of ours')
})

test('what leaves nothing to be opened is told from what is of one file', () => {
  expect(['EMFILE', 'ENFILE', 'ENOMEM'].map(exhaustionOf)).not.toContain(undefined)
  expect([undefined, 'EACCES', 'ENOSPC'].map(exhaustionOf)).toEqual([undefined, undefined, undefined])
})

test('another file would help, or none would', () => {
  for (const code of ['ENOENT', 'EISDIR', 'ENOTDIR', 'EACCES', 'ELOOP', 'ENAMETOOLONG', 'EODD'])
    expect([code, isOfMachine(failed(code))]).toEqual([code, false])
  for (const code of ['ENOSPC', 'EMFILE', 'EIO'])
    expect([code, isOfMachine(failed(code))]).toEqual([code, true])
  const ours = new Error('of ours')
  expect(notWritten(ours, 'f')).toBe(ours)
  expect(notWritten(failed('ENOSPC'), 'f')).toMatchObject({
    code: 'REFUSED_FILE',
    message: expect.stringMatching(/^f can't be written: no space/),
  })
})
