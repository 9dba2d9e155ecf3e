/** Recording a CLI that lull does not know: its screen, its keys, its processes and its files. */
import { existsSync, mkdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { type IPty, spawn } from '@lydell/node-pty'
import { afterEach, describe, expect, test } from 'vitest'
import { bin, lull, temporaryFolder } from '../support/lull.ts'
import { lullHere } from '../support/lull-here.ts'
import { ownPlaces } from '../support/running.ts'
import { until } from '../support/until.ts'

const open: IPty[] = []
afterEach(() => {
  for (const terminal of open.splice(0)) terminal.kill('SIGKILL')
})

/** A CLI as a shell script: it keeps a log and a status file, asks a line, a password and a key. */
const script = `
mkdir -p home/logs; echo '{"state":"busy"}' > home/status.json
printf 'name? '; read name; echo "{\\"name\\":\\"$name\\"}" >> home/logs/chat.jsonl
stty -echo; printf 'password? '; read secret; stty echo; echo; echo "got one of \${#secret}"
echo old >> home/before.log; echo '{"state":"done"}' > home/status.json
stty -icanon -echo; printf 'press a key '; dd bs=1 count=1 2>/dev/null >/dev/null; dd bs=3 count=1 2>/dev/null >/dev/null; stty sane; echo bye; sleep 1; exit 3`

function record(folder: string, ...words: readonly string[]) {
  const env = { ...process.env, ...ownPlaces() }
  const pty = spawn(process.execPath, [bin, 'record', ...words], { env, cwd: folder, cols: 90, rows: 30 })
  open.push(pty)
  let shown = ''
  pty.onData(text => {
    shown += text
  })
  const ended = new Promise<number>(resolve => pty.onExit(({ exitCode }) => resolve(exitCode)))
  const shows = (text: string) =>
    until(
      () => shown,
      all => all.includes(text),
      `"${text}"`,
    )
  return { type: (keys: string) => pty.write(keys), shows, ended }
}

/** Its header, and its events as code and data. */
function readTrace(file: string) {
  const [header = '', ...lines] = readFileSync(file, 'utf8').trim().split('\n')
  const events = lines.map(line => JSON.parse(line) as [number, string, string])
  const of = (code: string): string[] => events.filter(event => event[1] === code).map(event => event[2])
  return { header: JSON.parse(header).lull as Record<string, unknown>, of }
}

const files = (rows: readonly string[]) =>
  rows.map(row => {
    const { path: file, ...rest } = JSON.parse(row) as { path: string }
    return { file: path.basename(file), ...rest }
  })

describe.runIf(process.platform === 'linux')('lull record --agent', () => {
  test('records screen, keys, processes and files; what is typed unseen is left out', async () => {
    const folder = temporaryFolder()
    mkdirSync(path.join(folder, 'home'))
    const { type, shows, ended } = record(
      folder,
      '--agent',
      'newbie',
      '--watch',
      'home',
      '--',
      'sh',
      '-c',
      script,
    )
    await shows('name? ')
    type('ada\r')
    await shows('password? ')
    type('hunter2\r')
    await shows('press a key')
    type('x')
    type('\u001b[A')
    await shows('bye')
    expect(await ended).toBe(0)
    const file = path.join(folder, 'newbie.cast')
    const { header, of } = readTrace(file)
    expect(header).toMatchObject({ agent: 'command', cli: 'newbie' })
    expect(of('o').join('')).toMatch(/name\? ada[\s\S]*password\? \r\n[\s\S]*got one of 7[\s\S]*bye/)
    expect(readFileSync(file, 'utf8')).not.toContain('hunter2')
    expect(of('i').join('')).toMatch(/^ada\r•\u001b\[A$/)
    expect(of('p')).not.toEqual([])
    expect(of('r')).toEqual([expect.stringMatching(/^\d+x\d+$/)])
    expect(of('x').map(text => JSON.parse(text))).toEqual([{ code: 3 }])
    expect(files(of('t'))).toEqual([
      { file: 'chat.jsonl', line: '{"name":"ada"}' },
      { file: 'before.log', line: 'old' },
    ])
    const states = files(of('f')).map(row => ('content' in row ? row.content : undefined))
    expect(states).toEqual(['{"state":"busy"}\n', '{"state":"done"}\n'])

    const replayed = await lullHere(['replay', '--json', file])
    expect(replayed).toMatchObject({ code: 0, stderr: '' })
    expect(replayed.stdout.trim().split('\n').at(-1)).toMatch(/"exited"/)
  })

  test('an agent that is known is named, and its recording is judged by its readers', async () => {
    const file = path.join(temporaryFolder(), 'a.cast')
    const words = ['record', '--agent', 'claude', '-o', file, '--', 'sh', '-c', 'echo hello']
    expect(await lull(words, [], ownPlaces())).toMatchObject({ code: 0, stdout: 'hello\r\n' })
    expect(readTrace(file).header).toMatchObject({ agent: 'claude' })
    expect((await lullHere(['replay', file])).code).toBe(0)
  })

  test('what can’t be is one sentence, and no file is left', async () => {
    const folder = temporaryFolder()
    const file = path.join(folder, 'a.cast')
    const refused = async (...words: readonly string[]) => {
      const { code, stderr } = await lull(['record', ...words], [], ownPlaces())
      return `${code}: ${stderr.trim().split('\n').at(-1)}`
    }
    const newbie = ['--agent', 'newbie', '-o', file]
    expect(await refused(...newbie)).toMatch('2: lull: no command given')
    expect(await refused(...newbie, '--', 'no-such-command')).toMatch(
      '127: lull: no-such-command: no such command',
    )
    expect(await refused(...newbie, '--watch', '/no/such', '--', 'true')).toMatch(
      '2: lull: --watch /no/such: no such file or folder',
    )
    for (const name of ['command', 'terminal', 'My Agent', '../x'])
      expect(await refused('--agent', name, '-o', file, '--', 'true')).toMatch(
        `2: lull: --agent ${name}: must be`,
      )
    expect(await refused('web', '-o', file, '--watch', folder)).toMatch('2: lull: --watch needs --agent')
    expect(existsSync(file)).toBe(false)
  })
})
