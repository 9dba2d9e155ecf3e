import { describe, expect, test } from 'vitest'
import { parseLsof, targetsOf } from '../../src/process/macos/lsof.ts'
import { processOf } from '../../src/process/macos/macos-reader.ts'
import { branchOf, parsePs, parseTime } from '../../src/process/macos/ps.ts'

/** `ps -axo pid=,ppid=,pgid=,tpgid=,uid=,state=,rss=,time=,wchan=,lstart=,command=` with LC_ALL=C, as ps(1) describes it. */
const ps = `    1     0     1     0     0 Ss    18240   1:02.50 -      Sun Nov 22 05:22:16 2026     /sbin/launchd
  812     1   812   901   501 S+     4096   0:00.01 -      Sun Nov 22 06:00:01 2026     -zsh
  901   812   901   901   501 S+    51200   0:03.20 -      Sun Nov 22 06:01:00 2026     node /usr/local/bin/my agent.js --print
  902   901   901   901   501 U+     1024   0:00.00 -      Sun Nov  2 06:01:02 2026     cat
  950     1   950     0   501 Z         0   0:00.00 -      Sun Nov 22 06:01:02 2026     (sh)
not a row
`

/** `lsof -nP -F pfatdPTn -p 901,902`. */
const lsof = `p901
fcwd
tDIR
n/Users/me
f0
au
tCHR
n/dev/ttys003
f5
aw
tPIPE
d0x1a2b
n->0x3c4d
f6
au
tIPv4
d0x99
PTCP
n127.0.0.1:51000->127.0.0.1:8080
TST=ESTABLISHED
TQR=0
TQS=12
f7
au
tunix
d0x77
n->0x88
p902
f0
ar
tPIPE
d0x3c4d
n->0x1a2b
f1
aw
tREG
n/tmp/out put.txt
f3
au
tIPv4
d0x9a
PTCP
n127.0.0.1:8080->127.0.0.1:51000
TST=ESTABLISHED
`

describe('processes of macOS', () => {
  test('states and times in the words of Linux; a row that is not understood is left out', () => {
    const rows = parsePs(ps)
    expect(rows.map(({ pid, state }) => [pid, state])).toEqual([
      [1, 'S'],
      [812, 'S'],
      [901, 'S'],
      [902, 'D'],
      [950, 'Z'],
    ])
    expect(rows[2]).toMatchObject({
      parent: 812,
      group: 901,
      foreground: 901,
      uid: 501,
      residentBytes: 51_200 * 1024,
      cpu: 3.2e9,
      command: 'node /usr/local/bin/my agent.js --print',
    })
    expect(rows[0]?.foreground).toBe(-1)
  })

  test.each([
    ['1:02.50', 62.5],
    ['01:02:03', 3723],
    ['2-01:00:00', 176_400],
  ])('%s of processor time', (text, seconds) => {
    expect(parseTime(text)).toBe(seconds * 1e9)
  })

  test('the branch of a root, the root first', () => {
    expect(branchOf(parsePs(ps), 812).map(({ pid }) => pid)).toEqual([812, 901, 902])
    expect(branchOf(parsePs(ps), 4711)).toEqual([])
  })

  test('a process that tells no calls: nothing is proven of it', () => {
    const [, , row] = parsePs(ps)
    expect(row && processOf(row, {})).toMatchObject({
      name: 'node',
      threads: [{ call: { type: 'hidden' }, cpu: 3.2e9 }],
      hidden: expect.arrayContaining(['syscall']),
    })
  })
})

describe('open files of macOS', () => {
  const files = parseLsof(lsof)

  test('only those with a number', () => {
    expect(files.map(({ pid, fd }) => [pid, fd])).toEqual([
      [901, 0],
      [901, 5],
      [901, 6],
      [901, 7],
      [902, 0],
      [902, 1],
      [902, 3],
    ])
  })

  test('the ends of a pipe find each other, and are never all that there may be', () => {
    expect(targetsOf(902, files)[0]).toEqual({
      type: 'pipe',
      inode: '0x3c4d',
      readers: { pids: [902], isWhole: false },
      writers: { pids: [901], isWhole: false },
    })
  })

  test('terminals, files, sockets', () => {
    const { 0: tty, 6: tcp, 7: unix } = targetsOf(901, files)
    expect(tty).toEqual({ type: 'tty', path: '/dev/ttys003' })
    expect(tcp).toMatchObject({ state: 'established', sendQueue: 12, peer: { pids: [902] } })
    expect(unix).toMatchObject({ type: 'unix', inode: '0x77', peer: { pids: [] } })
    expect(targetsOf(902, files)[1]).toEqual({ type: 'file', path: '/tmp/out put.txt' })
  })
})
