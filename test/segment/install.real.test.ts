/** `lull tmux install` and `uninstall`, in homes of a test's own. */
import { execFileSync } from 'node:child_process'
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import path from 'node:path'
import { describe, expect, test } from 'vitest'
import { temporaryFolder } from '../support/lull.ts'
import { lullHere } from '../support/lull-here.ts'
import { has } from '../support/tmux-pane.ts'

function home() {
  const folder = temporaryFolder()
  const env = {
    HOME: folder,
    LULL_RUNTIME_DIR: path.join(folder, 'run'),
    XDG_STATE_HOME: path.join(folder, 'state'),
    XDG_CONFIG_HOME: '',
    TMUX: '',
  }
  const conf = path.join(folder, '.tmux.conf')
  return {
    folder,
    conf,
    doctor: () => lullHere(['doctor'], env),
    run: (...args: readonly string[]) => lullHere(['tmux', ...args], env),
    read: () => readFileSync(conf, 'utf8'),
    write: (text: string) => writeFileSync(conf, text),
  }
}

const theirs = 'set -g mouse on\nbind r source-file ~/.tmux.conf'

describe('lull tmux install', () => {
  test('shows a diff, puts it in once, and takes it out to the byte', async () => {
    const { conf, run, read, write, doctor } = home()
    write(theirs)
    const dry = await run('install', '--bind', 'g', '--dry-run')
    expect(dry).toMatchObject({ code: 0, stderr: `would add lull's lines to ${conf}\n` })
    expect(dry.stdout).toMatch(/^\+set -g @lull-push on$/m)
    expect(read()).toBe(theirs)
    const done = await run('install', '--bind', 'g')
    expect(done.code).toBe(0)
    expect(done.stdout).toBe(
      `added lull's lines to ${conf}\nto load it in a running tmux: tmux source-file ${conf}\nno host updates it; start one with lull host start\n`,
    )
    const there = read()
    expect(there.startsWith(theirs)).toBe(true)
    expect((await doctor()).stdout).toContain(`✗ the host, which keeps what ${conf} asks for: no host runs`)
    expect(await run('install')).toMatchObject({
      code: 0,
      stdout: `nothing to do, lull's lines are already in ${conf}\n`,
    })
    expect(read()).toBe(there)
    const out = JSON.parse((await run('uninstall', '--json')).stdout)
    expect(out).toMatchObject({ action: 'uninstall', file: conf, changed: [conf] })
    expect(read()).toBe(theirs)
    expect((await run('uninstall')).stdout).toBe(`nothing to do, none of lull's lines are in ${conf}\n`)
  })

  test('writes the file that tmux reads: through a link, the one of ~/.config, a new one that goes again', async () => {
    const linked = home()
    writeFileSync(path.join(linked.folder, 'dotfiles'), theirs)
    symlinkSync('dotfiles', linked.conf)
    await linked.run('install')
    expect(lstatSync(linked.conf).isSymbolicLink()).toBe(true)
    expect(linked.read()).toContain('@lull-push')

    const moved = home()
    mkdirSync(path.join(moved.folder, '.config/tmux'), { recursive: true })
    const file = path.join(moved.folder, '.config/tmux/tmux.conf')
    writeFileSync(file, theirs)
    await moved.run('install')
    expect(readFileSync(file, 'utf8')).toContain('@lull-push')
    expect(existsSync(moved.conf)).toBe(false)

    const none = home()
    await none.run('install')
    expect(none.read()).toContain('@lull-push')
    await none.run('uninstall')
    expect(existsSync(none.conf)).toBe(false)
  })

  test('leaves one that is read-only, and a key that is none, and says why', async () => {
    const { conf, run, read, write } = home()
    write(theirs)
    expect(await run('install', '--bind', 'nokey')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('"nokey" is no key'),
    })
    chmodSync(conf, 0o444)
    expect(await run('install')).toMatchObject({
      code: 1,
      stdout: '',
      stderr: `lull: ${conf} is read-only: chmod u+w it first; nothing was changed\n`,
    })
    expect(read()).toBe(theirs)
  })

  test.runIf(has('tmux')).each([
    ['set -g mouse on\nnosuch thing\n', ':2: unknown command: nosuch; mend it first'],
    ['%if 1\nset -g mouse on\n', ': syntax error; mend it first'],
    ['set -g @a "open\nset -g mouse on\n', ' ends in the middle of a command'],
  ])('leaves one that tmux does not read: %j', async (text, why) => {
    const { run, read, write } = home()
    write(text)
    const { code, stderr } = await run('install')
    expect({ code, said: stderr.includes(why) }, stderr).toEqual({ code: 1, said: true })
    expect(stderr).toMatch(/^lull: .*; nothing was changed\n$/)
    expect(read()).toBe(text)
  })

  // A file system of 64 kB can only be mounted by root.
  test.runIf(process.getuid?.() === 0 && process.platform === 'linux' && existsSync('/usr/bin/mount'))(
    'loses nothing where the disk is full',
    async () => {
      const { folder, run } = home()
      const small = path.join(folder, '.config/tmux')
      mkdirSync(small, { recursive: true })
      execFileSync('/usr/bin/mount', ['-t', 'tmpfs', '-o', 'size=64k', 'tmpfs', small])
      try {
        writeFileSync(path.join(small, 'tmux.conf'), theirs)
        expect(() => writeFileSync(path.join(small, 'filler'), Buffer.alloc(128 * 1024))).toThrow('ENOSPC')
        const { code, stderr } = await run('install')
        expect(code).toBe(1)
        expect(stderr).toContain('no space is left on its file system; nothing was changed')
        expect(readFileSync(path.join(small, 'tmux.conf'), 'utf8')).toBe(theirs)
      } finally {
        execFileSync('/usr/bin/umount', [small])
      }
    },
  )
})
