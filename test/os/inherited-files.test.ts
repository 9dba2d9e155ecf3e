/** Which descriptors came from outside, and which Node has opened for itself before any of lull ran. */
import { expect, test } from 'vitest'
import { inheritedAmong } from '../../src/os/spawn/inherited-files.ts'

/** As `ls -l /proc/self/fd` shows them of Node 24 that was started with 3, 10 and 12. */
const open = [
  [0, '/dev/null'],
  [1, 'pipe:[1]'],
  [2, '/dev/pts/3'],
  [3, '/dev/null'],
  [4, 'anon_inode:[eventpoll]'],
  [5, 'anon_inode:[io_uring]'],
  [6, 'pipe:[6]'],
  [7, 'pipe:[6]'],
  [8, '/dev/null'],
  [9, 'anon_inode:[eventfd]'],
  [10, 'socket:[10]'],
  [11, 'anon_inode:[eventpoll]'],
  [12, 'pipe:[12]'],
  [13, '/tmp/log'],
] as const
const entries = open.map(([fd, link]) => ({ fd, link }))

test('what lies below the first epoll, and what is of no kind that Node opens', () => {
  expect(inheritedAmong(entries)).toEqual([3, 10, 12, 13])
})

test('a jobserver’s pipe has both its ends below the first epoll; Node’s own pipes are never handed on', () => {
  const jobserver = [
    { fd: 3, link: 'pipe:[3]' },
    { fd: 4, link: 'pipe:[3]' },
    { fd: 5, link: 'anon_inode:[eventpoll]' },
    { fd: 6, link: 'pipe:[6]' },
    { fd: 7, link: 'pipe:[6]' },
  ]
  expect(inheritedAmong(jobserver)).toEqual([3, 4])
})

test('the channel to a parent that is Node is not the command’s', () => {
  expect(inheritedAmong(entries, 10)).toEqual([3, 12, 13])
})
