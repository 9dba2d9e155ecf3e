/** Whether two descriptors are of one open file. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, openSync } from 'node:fs'
import { expect, test } from 'vitest'
import { groupFiles, isSameFile } from '../../src/os/native/kcmp.ts'
import { libc } from '../../src/os/native/libc.ts'

test.runIf(libc())(
  'a descriptor that a child inherited is of the same file, one that opens its name again is not',
  async () => {
    const [passed, again] = [openSync('/proc/self/stat', 'r'), openSync('/proc/self/stat', 'r')]
    const child = spawn('cat', { stdio: ['pipe', 'ignore', 'ignore', passed] })
    await once(child, 'spawn')
    try {
      const own = { pid: process.pid, fd: passed }
      expect(isSameFile(own, own)).toBe(true)
      expect(isSameFile(own, { pid: child.pid ?? 0, fd: 3 })).toBe(true)
      expect(isSameFile({ pid: process.pid, fd: again }, { pid: child.pid ?? 0, fd: 3 })).toBe(false)
      expect(isSameFile(own, { pid: child.pid ?? 0, fd: 99 })).toBe(false)
      const [other, inherited] = [
        { ...own, fd: again },
        { pid: child.pid ?? 0, fd: 3 },
      ]
      const groups = groupFiles([own, other, inherited])?.map(group => new Set(group))
      expect(new Set(groups)).toEqual(new Set([new Set([own, inherited]), new Set([other])]))
      expect(groupFiles([own, { ...own, fd: 9999 }])).toBeUndefined()
    } finally {
      child.kill('SIGKILL')
      for (const fd of [passed, again]) closeSync(fd)
    }
  },
)
