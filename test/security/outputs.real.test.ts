/** Files that a command writes and a person named: nobody else gets their text, and none of them keeps a command waiting. */
import { execFile, execFileSync } from 'node:child_process'
import {
  chmodSync,
  closeSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
  writeSync,
} from 'node:fs'
import path from 'node:path'
import { describe, expect, test } from 'vitest'
import { openLog } from '../../src/loop/loop-output.ts'
import { openOutput } from '../../src/os/file/open-output.ts'
import { run } from '../../src/run/run.ts'
import { bin, lull, type Run, temporaryFile, temporaryFolder } from '../support/lull.ts'
import { giveAway } from '../support/other-user.ts'
import { ownPlaces } from '../support/running.ts'

/** Each command that writes a person's text, and the name that it writes it to. */
const writers: readonly (readonly [string, (file: string) => readonly string[]])[] = [
  ['run --verdicts', file => ['run', '--verdicts', file, '--', 'sh', '-c', 'echo secret; exit 3']],
  [
    'record --force',
    file => ['record', '--force', '--agent', 'some-cli', '-o', file, '--', 'echo', 'secret'],
  ],
]

/** What another user has put at a path, before lull comes. */
const foreign: readonly (readonly [string, (at: string) => string, RegExp])[] = [
  [
    'a file of another user',
    at => {
      writeFileSync(at, '', { mode: 0o666 })
      giveAway(at)
      return at
    },
    /belongs to another user/,
  ],
  [
    'another user’s link to a file of one’s own',
    at => {
      const target = path.join(temporaryFolder(), 'own')
      writeFileSync(target, '')
      symlinkSync(target, at)
      giveAway(at)
      return target
    },
    /belongs to another user/,
  ],
  [
    'one’s own link to another user’s file',
    at => {
      const target = path.join(temporaryFolder(), 'theirs')
      writeFileSync(target, '', { mode: 0o666 })
      giveAway(target)
      symlinkSync(target, at)
      return target
    },
    /belongs to another user/,
  ],
  [
    'a file that all may write',
    at => {
      writeFileSync(at, '')
      chmodSync(at, 0o666)
      return at
    },
    /others may write in it \(0666\)/,
  ],
]

const isRoot = process.getuid?.() === 0
if (!isRoot) console.warn('skipped: only root can give a file to another user')

describe.runIf(isRoot).each(foreign)('%s', (_, put, why) => {
  test.each(writers)('gets nothing of %s: one sentence', async (_, words) => {
    const file = path.join(temporaryFolder(), 'out')
    const target = put(file)
    const { code, stdout, stderr } = await lull(words(file), [], ownPlaces())
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
    expect(stderr).toMatch(why)
    expect(stderr.split('\n')).toHaveLength(2)
    expect(readFileSync(target, 'utf8')).toBe('')
  })
})

describe.runIf(isRoot)('in a folder of another user', () => {
  test('a log of a loop that is there already gets nothing; the loop goes on and says so', async () => {
    const folder = temporaryFolder()
    const wall = Date.UTC(2026, 0, 2, 3, 4, 5)
    const failures: string[] = []
    const file = path.join(folder, '001_20260102-030405.log')
    writeFileSync(file, '', { mode: 0o666 })
    giveAway(file)
    const log = openLog(folder, 1, wall, why => failures.push(why))
    log.write('secret')
    expect(failures).toEqual([expect.stringMatching(/another user/)])
    expect(readFileSync(file, 'utf8')).toBe('')
  })
})

describe('a file of one’s own', () => {
  const open = (file: string, how: 'a' | 'w' | 'wx' = 'w') =>
    openOutput(file, how, file, 'choose another name')

  test.each(['a', 'w'] as const)(
    'is written to (%s), also through a link, and is made where there is none',
    how => {
      const folder = temporaryFolder()
      const link = path.join(folder, 'link')
      symlinkSync('target', link)
      for (let time = 0; time < 2; time++) {
        const fd = open(link, how)
        writeSync(fd, 'x')
        closeSync(fd)
      }
      expect(readFileSync(path.join(folder, 'target'), 'utf8')).toBe(how === 'a' ? 'xx' : 'x')
      expect(statSync(path.join(folder, 'target')).mode & 0o777).toBe(0o600)
    },
  )

  test('is never written over where a new one is wanted', () => {
    const file = temporaryFile('x', 'old')
    expect(() => open(file, 'wx')).toThrow(/x exists: choose another name$/)
    const link = path.join(temporaryFolder(), 'link')
    symlinkSync('nowhere', link)
    expect(() => open(link, 'wx')).toThrow(/link exists: choose another name$/)
    expect(readdirSync(path.dirname(link))).toEqual(['link'])
  })

  test('may be a device, and links in a circle end', () => {
    for (const how of ['a', 'w'] as const) closeSync(open('/dev/null', how))
    const link = path.join(temporaryFolder(), 'link')
    symlinkSync('link', link)
    expect(() => open(link)).toThrow(/links lead in a circle/)
  })
})

test('a program names the file for the recording of a run: a new one', async () => {
  const file = path.join(temporaryFolder(), 'run.cast')
  expect(await run(['true'], { record: file }).ended).toMatchObject({ code: 0 })
  expect(readFileSync(file, 'utf8')).toMatch(/^\{"version":2/)
  expect(() => run(['true'], { record: file })).toThrow(expect.objectContaining({ code: 'USAGE' }))
})

describe('a pipe', () => {
  const pipe = (): string => {
    const file = path.join(temporaryFolder(), 'pipe')
    execFileSync('mkfifo', [file])
    return file
  }

  test('that nobody reads: the command runs without it, and its exit code stays', async () => {
    const { code, stdout, stderr } = await lull([
      'run',
      '--verdicts',
      pipe(),
      '--',
      'sh',
      '-c',
      'echo x; exit 3',
    ])
    expect({ code, stdout }).toEqual({ code: 3, stdout: 'x\n' })
    expect(stderr).toMatch(/is a pipe that nobody reads: the command runs without/)
  })

  test('that nobody reads takes no recording: one sentence', async () => {
    const words = ['record', '--force', '--agent', 'some-cli', '-o', pipe(), '--', 'true']
    expect(await lull(words, [], ownPlaces())).toEqual({
      code: 2,
      stdout: '',
      stderr: expect.stringMatching(/^lull: .*pipe: is a pipe that nobody reads\n$/),
    })
  })

  test.each([
    [
      'with a name',
      'mkfifo p; cat p & "$0" "$1" run --verdicts p -- sh -c "exit 3"; code=$?; wait; exit $code',
    ],
    [
      'of the shell',
      'exec 4>&1; "$0" "$1" run --verdicts >(cat >&4) -- sh -c "exit 3"; code=$?; wait $!; exit $code',
    ],
    ['that is stdout', '"$0" "$1" run --verdicts /dev/stdout -- sh -c "exit 3" | cat; exit $PIPESTATUS'],
  ])('%s that somebody reads gets all of it', async (_, script) => {
    const { code, stdout } = await inShell(script)
    // A command that starts slowly is judged before.
    expect({ code, stdout }).toEqual({ code: 3, stdout: expect.stringMatching(/^\{"type":"end".*"code":3/m) })
  })
})

function inShell(script: string): Promise<Run> {
  return new Promise(resolve => {
    const options = { cwd: temporaryFolder(), env: { ...process.env, ...ownPlaces() }, timeout: 50_000 }
    execFile('bash', ['-c', script, process.execPath, bin], options, (error, stdout, stderr) =>
      resolve({ code: Number(error?.code ?? 0), stdout, stderr }),
    )
  })
}
