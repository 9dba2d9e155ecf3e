/** `lull run` lets everything through: output, order, codes and signals, as without it. */
import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, closeSync, openSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import type { Readable } from 'node:stream'
import { describe, expect, test } from 'vitest'
import { attempt } from '../../src/os/attempt.ts'
import { bin, lull, type Run, temporaryFile, temporaryFolder } from '../support/lull.ts'
import { lullHere } from '../support/lull-here.ts'
import { ownPlaces, startLull } from '../support/running.ts'
import { until } from '../support/until.ts'

const run = (...words: readonly string[]) => lull(['run', ...words])
const shell = (script: string, ...flags: readonly string[]) => run(...flags, '--', 'sh', '-c', script)

/** What a shell makes of a line in which `L` is `lull run`. */
function inShell(line: string): Promise<Run> {
  const script = line.replaceAll(/\bL (?=--)/g, `"${process.execPath}" "${bin}" run `)
  return new Promise(resolve => {
    const child = execFile('bash', ['-c', script], { timeout: 110_000 }, (error, stdout, stderr) =>
      resolve({ code: error ? Number(error.code) : 0, stdout, stderr }),
    )
    child.stdin?.end()
  })
}

describe.concurrent('what cannot be run is one sentence', () => {
  type Row = readonly [what: string, words: readonly string[], code: number, sentence: RegExp]
  function expectRefusal([, , code, sentence]: Row, ended: Run): void {
    expect(ended.stderr).toMatch(sentence)
    expect(ended.stderr.trim().split('\n')).toHaveLength(1)
    expect(ended).toMatchObject({ code, stdout: '' })
  }

  test.each<Row>([
    ['no command', [], 2, /^lull: no command given; usage: lull run -- CMD…\n$/],
    [
      'a command that is not there',
      ['--', 'no-such-command'],
      127,
      /^lull: no-such-command: no such command/,
    ],
    [
      'keys of no terminal',
      ['--pty', '--stdin', 'inherit', '--', 'true'],
      2,
      /--pty needs a terminal on stdin/,
    ],
  ])('%s', async (...row) => expectRefusal(row, await run(...row[1])))

  // They start nothing either, and are told in the same way.
  test.each<Row>([
    ['nothing after --', ['--'], 2, /^lull: no command given/],
    ['a path that is not there', ['--', './no/such'], 127, /^lull: \.\/no\/such: no such program/],
    ['a folder', ['--', '/'], 126, /^lull: \/ is a folder: name a program\n$/],
    [
      'a folder to run in that is not there',
      ['--cwd', '/no/such', '--', 'true'],
      2,
      /^lull: \/no\/such: no such folder/,
    ],
    ['a file to run in', ['--cwd', '/dev/null', '--', 'true'], 2, /^lull: \/dev\/null is a file/],
    [
      'an unknown preset',
      ['--preset', 'nope', '--', 'true'],
      2,
      /--preset nope: must be one of conservative, bal/,
    ],
    ['a duration that is none', ['--dwell', 'ten', '--', 'true'], 2, /--dwell ten: "ten" is not a duration/],
    [
      'an unknown stdin',
      ['--stdin=file', '--', 'true'],
      2,
      /--stdin file: must be one of null, inherit, open/,
    ],
    [
      'an unknown deed',
      ['--on-stuck', 'kill', '--', 'true'],
      2,
      /--on-stuck kill: must be one of notify, exec/,
    ],
    ['exec without a command', ['--on-stuck', 'exec', '--', 'true'], 2, /--on-stuck needs a value/],
    ['an unknown option', ['--nope', '--', 'true'], 2, /--nope: no such option of lull run/],
    ['a missing value', ['--cwd'], 2, /--cwd needs a value/],
    [
      'a verdict file that can’t be',
      ['--verdicts', '/no/such/f', '--', 'true'],
      2,
      /--verdicts \/no\/such\/f can't/,
    ],
  ])('%s', async (...row) => expectRefusal(row, await lullHere(['run', ...row[1]])))

  test('a file that may not be executed: 126', async () => {
    const file = temporaryFile('tool', '#!/bin/sh\n')
    chmodSync(file, 0o644)
    const ended = await lullHere(['run', '--', file])
    expect(ended).toMatchObject({ code: 126, stderr: expect.stringContaining('may not be executed') })
  })

  test('a recording is not written over', async () => {
    const file = temporaryFile('old.cast', 'evidence')
    const ended = await lullHere(['run', '--record', file, '--', 'true'])
    expect(ended).toMatchObject({ code: 2, stderr: expect.stringContaining('exists: choose another name') })
    expect(readFileSync(file, 'utf8')).toBe('evidence')
  })
})

describe.concurrent('the words after it are the command’s', () => {
  test.each([
    [['--', 'echo', '--json', '--pty', '-h'], '--json --pty -h\n'],
    [['echo', '--json', '--', '--help'], '--json -- --help\n'],
    [['--stdin', 'null', 'echo', 'run', '--version'], 'run --version\n'],
    [['--preset=balanced', '--dwell=2s', '--', 'printf', '%s|', 'a b', '', '*'], 'a b||*|'],
  ])('%j', async (words, stdout) => {
    expect(await run(...words)).toMatchObject({ code: 0, stdout })
  })

  test('--help is lull’s own before a command', async () => {
    expect((await lullHere(['run', '--help'])).stdout).toContain('--on-stuck')
  })
})

// Not at once: after each test, what runs is ended.
describe('code and signal', () => {
  test('the exit code', async () => {
    expect((await shell('exit 7')).code).toBe(7)
  })

  test.each([
    ['SIGTERM', 143],
    ['SIGKILL', 137],
    ['SIGSEGV', 139],
  ])('ended by %s, lull ends by it as well', async (signal, code) => {
    const ended = spawn(process.execPath, [bin, 'run', '--', 'sh', '-c', `kill -${signal.slice(3)} $$`], {
      stdio: 'ignore',
      cwd: temporaryFolder(),
    })
    expect(await once(ended, 'exit')).toEqual([null, signal])
    expect((await inShell(`L -- sh -c 'kill -${signal.slice(3)} $$'; echo $?`)).stdout).toBe(`${code}\n`)
  })

  test.each(['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGQUIT'] as const)(
    '%s reaches the whole group',
    async signal => {
      const folder = temporaryFolder()
      const name = signal.slice(3)
      const script = `
      trap 'exit 9' ${name}
      bash -c "trap 'echo child > ${folder}/child; exit 0' ${name}; echo; while :; do sleep 0.05; done"`
      const lulled = startLull(['run', '--', 'bash', '-c', script], ownPlaces())
      await lulled.says('\n')
      lulled.kill(signal)
      const { code, stderr } = await lulled.ended
      expect(readFileSync(`${folder}/child`, 'utf8')).toBe('child\n')
      expect(code).toBe(9)
      if (signal === 'SIGINT' || signal === 'SIGTERM')
        expect(stderr).toMatch(new RegExp(`lull: ${signal} after`))
    },
  )

  test('ended although it is stopped', async () => {
    const lulled = startLull(['run', '--', 'sh', '-c', 'echo $$; kill -STOP $$'], ownPlaces())
    await lulled.says(/\d+\n/)
    const pid = lulled.stdout().trim()
    await until(
      () => readFileSync(`/proc/${pid}/stat`, 'utf8'),
      stat => /\) T /.test(stat),
      'the stop',
    )
    lulled.kill('SIGTERM')
    expect((await lulled.ended).stderr).toContain('ended by SIGTERM')
  })

  test('stopped and continued with it', async () => {
    const lulled = startLull(['run', '--', 'sh', '-c', 'echo $$; while :; do sleep 0.05; done'], ownPlaces())
    await lulled.says(/\d+\n/)
    const pid = lulled.stdout().trim()
    const stateOf = (of: string | number) =>
      /^\d+ \(.*\) (\S)/.exec(readFileSync(`/proc/${of}/stat`, 'utf8'))?.[1]
    lulled.kill('SIGTSTP')
    await until(
      () => [stateOf(pid), stateOf(lulled.pid)],
      // A shell that was about to start a child (vfork) waits for that one, which is stopped, in state D.
      states => /^[TD],T$/.test(states.join()),
      'the stop',
    )
    lulled.kill('SIGCONT')
    await until(
      () => [stateOf(pid), stateOf(lulled.pid)],
      states => !states.includes('T'),
      'the continuation',
    )
    lulled.kill('SIGTERM')
    await lulled.ended
  })
})

describe.concurrent('output', () => {
  test('stdout and stderr stay apart, byte for byte', async () => {
    const bytes = 'printf "a\\r\\n\\000\\377b"; printf "\\033[1mx\\n" >&2'
    const ended = await inShell(`L -- sh -c '${bytes}' 2>/dev/null | od -An -tx1`)
    expect(ended.stdout.trim()).toBe('61 0d 0a 00 ff 62')
    expect((await shell(bytes)).stderr).toMatch(`${String.fromCharCode(27)}[1mx\nlull: exit 0`)
  })

  test('in one pipe they keep their order', async () => {
    const script = 'i=0; while [ $i -lt 300 ]; do echo o$i; echo e$i >&2; i=$((i+1)); done'
    const { stdout } = await inShell(`L -- sh -c '${script}' 2>&1 | cat`)
    const wanted = Array.from({ length: 300 }, (_, i) => `o${i}\ne${i}\n`).join('')
    expect(stdout.replace(/^lull: .*\n/m, '')).toBe(wanted)
  })

  test('/dev/stdout can be opened, as in a pipe', async () => {
    expect((await inShell(`L -- sh -c 'echo x > /dev/stdout' 2>/dev/null | cat`)).stdout).toBe('x\n')
  })

  test('a flood arrives whole', async () => {
    const sum = async (command: string) => (await inShell(`${command} 2>/dev/null | cksum`)).stdout
    const flood = 'seq 1 6000000'
    expect(await sum(`L -- ${flood}`)).toBe(await sum(flood))
  })

  test('a reader that leaves ends the command, as without lull', async () => {
    const { stdout, code } = await inShell('L -- yes 2>/dev/null | head -1; declare -p PIPESTATUS')
    expect(stdout).toMatch(/^y\n.*\[0\]="141"/)
    expect(code).toBe(0)
  })

  test('what it leaves behind in the background is not waited for', async () => {
    const { stdout } = await inShell(`L -- sh -c 'sleep 600 & echo $!' 2>/dev/null | cat`)
    // Throws where the command has ended by itself.
    process.kill(Number(stdout), 'SIGKILL')
  })

  test('one without a newline keeps memory bounded', async () => {
    const child = spawn(process.execPath, [bin, 'run', '--', 'head', '-c', '256M', '/dev/zero'], {
      stdio: ['ignore', 'pipe', 'ignore'],
    })
    let [most, count] = [0, 0]
    const status = `/proc/${child.pid}/status`
    child.stdout.on('data', (piece: Buffer) => {
      count += piece.length
      const peak = /VmHWM:\s+(\d+)/.exec(attempt(() => readFileSync(status, 'utf8')) ?? '')?.[1]
      most = Math.max(most, Number(peak ?? 0))
    })
    await once(child, 'close')
    expect(count).toBe(2 ** 28)
    expect(most).toBeGreaterThan(0)
    expect(most).toBeLessThan(150 * 1024)
  })
})

describe.concurrent('files', () => {
  test('killed with SIGKILL, lull leaves a file whole that its output goes to', async () => {
    const file = path.join(temporaryFolder(), 'out')
    const out = openSync(file, 'w')
    const script =
      'i=0; while [ $i -lt 20 ]; do echo line $i; echo said $i >&2; i=$((i+1)); sleep 0.05; done; echo end'
    const killed = spawn(process.execPath, [bin, 'run', '--', 'sh', '-c', script], {
      stdio: ['ignore', out, out],
    })
    closeSync(out)
    await until(
      () => readFileSync(file, 'utf8'),
      text => text.includes('line 3'),
      'a few lines',
    )
    killed.kill('SIGKILL')
    await once(killed, 'exit')
    const text = await until(
      () => readFileSync(file, 'utf8'),
      all => all.endsWith('end\n'),
      'the end',
    )
    const lines = text.split('\n').filter(line => !line.startsWith('lull:'))
    expect(lines).toEqual([
      ...Array.from({ length: 20 }, (_, i) => [`line ${i}`, `said ${i}`]).flat(),
      'end',
      '',
    ])
  })
})

describe.concurrent('stdin', () => {
  test('is at its end, and what waits on lull’s is named', async () => {
    const { stdout, stderr } = await inShell('echo hello | L -- cat')
    expect(stdout).toBe('')
    expect(stderr).toMatch(/^lull: 6 bytes wait on stdin, .*--stdin inherit/)
  })

  test('what is left of a file is named as well, and an empty one is not', async () => {
    const file = temporaryFile('input', 'abc')
    expect((await inShell(`L -- cat < ${file}`)).stderr).toContain('3 bytes wait on stdin')
    expect((await inShell('L -- cat < /dev/null')).stderr).not.toContain('wait on stdin')
    expect((await inShell('true | L -- cat')).stderr).not.toContain('wait on stdin')
  })

  test('nothing is said where it was asked to be empty, and nothing is read', async () => {
    const { stdout, stderr } = await inShell('echo hello | { L -- true; cat; }')
    expect(stdout).toBe('hello\n')
    expect(stderr).toContain('wait on stdin')
    expect((await inShell('echo hello | L --stdin null -- cat')).stderr).not.toContain('wait on stdin')
  })

  test('inherit hands it over', async () => {
    expect(await inShell('echo hello | L --stdin inherit -- cat')).toMatchObject({
      stdout: 'hello\n',
      code: 0,
    })
  })
})

test('a script without a first line runs, as in a shell', async () => {
  const file = temporaryFile('script', 'echo ran\n')
  writeFileSync(file, 'echo ran\n', { mode: 0o755 })
  chmodSync(file, 0o755)
  expect((await run('--', file)).stdout).toBe('ran\n')
})

describe.concurrent('descriptors from 3 on', () => {
  test('reach the command under their own numbers, at a terminal of its own too', async () => {
    const file = path.join(temporaryFolder(), 'three')
    const shell = `sh -c 'echo three >&3; read line <&7; echo "$line" >&3' 3>>"${file}" 7<<< seven`
    const plain = await inShell(`L -- ${shell}`)
    const own = await inShell(`${`L -- ${shell}`.replace('--', '--pty --')}`)
    expect([plain.code, own.code]).toEqual([0, 0])
    expect(readFileSync(file, 'utf8')).toBe('three\nseven\n'.repeat(2))
  })

  test('are the command’s alone: who waits for their end does not wait for lull', async () => {
    const file = path.join(temporaryFolder(), 'go')
    const script = 'exec 3>&-; until test -e "$1"; do sleep 0.05; done'
    const words = [bin, 'run', '--', 'sh', '-c', script, 'sh', file]
    const child = spawn(process.execPath, words, { stdio: ['ignore', 'ignore', 'ignore', 'pipe'] })
    const other = (child.stdio[3] as Readable).resume()
    await once(other, 'end')
    expect(child.exitCode).toBe(null)
    writeFileSync(file, '')
    expect(await once(child, 'exit')).toEqual([0, null])
  })

  test('of a socket activation are for the command’s own process', async () => {
    const command = `sh -c 'test "$LISTEN_PID" = $$ && echo "mine $1"' sh 'a b'`
    const ended = await inShell(`export LISTEN_PID=$$; exec L -- ${command}`)
    expect(ended.stdout).toBe('mine a b\n')
  })
})
