/** `lull classify`, as people and programs call it. */
import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { bin, temporaryFolder } from '../support/lull.ts'

const dialog = `${'─'.repeat(60)}
 Bash command

 rm -rf build \u001b]0;owned\u0007

 Do you want to proceed?
 ❯ 1. Yes
   2. No
`

/** A folder of a person's own rules. */
function rules(files: Readonly<Record<string, string>>): string {
  const config = temporaryFolder()
  for (const [agent, text] of Object.entries(files)) {
    mkdirSync(path.join(config, 'lull/agents', agent), { recursive: true })
    writeFileSync(path.join(config, 'lull/agents', agent, 'screen.yaml'), text, { mode: 0o600 })
  }
  return config
}

const nobody = rules({})

/** Its stdin is a pipe that has ended. */
async function classify(args: readonly string[], input: string, config = nobody) {
  const child = spawn(process.execPath, [bin, 'classify', ...args], {
    env: { ...process.env, XDG_CONFIG_HOME: config },
  })
  let [stdout, stderr] = ['', '']
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    stdout += text
  })
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    stderr += text
  })
  child.stdin.on('error', () => undefined).end(input)
  const [code] = (await once(child, 'close')) as [number]
  return { code, stdout, stderr }
}

test('a screen, as a sentence with its options', async () => {
  expect(await classify(['--agent', 'claude'], dialog)).toEqual({
    code: 0,
    stdout: 'Waiting for a permission (claude: permission, 0.95).\n❯ 1. Yes\n  2. No\n',
    stderr: '',
  })
})

test('why, with nothing that a terminal obeys', async () => {
  const { stdout, code } = await classify(['--agent', 'claude', '--explain'], dialog)
  expect(code).toBe(0)
  expect(stdout).toContain(
    'rule: permission (of all agents), waiting/permission: dialog row 6: Do you want to proceed?',
  )
  expect(stdout).toContain(
    'near: dialog (of all agents), waiting/dialog: dialog row 2: Bash command; permission comes before it',
  )
  expect(stdout).toContain('composer: none\n')
  expect(stdout).toContain('options: 2\n')
  expect(stdout).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f]/)
})

test('what is wrong is one sentence', async () => {
  const said = async (args: readonly string[], input = '') => {
    const { code, stdout, stderr } = await classify(args, input)
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
    return stderr
  }
  expect(await said(['--agent', 'cladue'], 'x')).toContain('did you mean claude? Known are claude, codex')
  expect(await said(['--agent', 'claude'])).toContain('stdin is empty: give it a screen as text')
  expect(await said([], 'x')).toContain('no agent given; add --agent with one of claude, codex')
})

test('many, in order, a row for each line; a bad one is told and passed over', async () => {
  const input = [
    JSON.stringify({ agent: 'claude', screen: dialog }),
    'torn',
    JSON.stringify({ agent: 'nobody-knows', screen: dialog }),
    JSON.stringify({ screen: 'text', progress: 40 }),
    `"${'x'.repeat(5 * 1024 * 1024)}"`,
    JSON.stringify({ screen: 'text', title: '⠋ project' }),
  ].join('\n')
  const { code, stdout, stderr } = await classify(['--jsonl', '--agent', 'codex'], input)
  const options = [
    { choice: 1, label: 'Yes', pointed: true },
    { choice: 2, label: 'No' },
  ]
  const asks = { state: 'waiting', for: 'permission', options, confidence: 0.95, rule: 'permission' }
  expect({ code, stderr }).toEqual({ code: 1, stderr: '' })
  expect(
    stdout
      .trim()
      .split('\n')
      .map(line => JSON.parse(line)),
  ).toEqual([
    asks,
    { error: 'line 2: is no JSON object: it must be {"agent": …, "screen": …}' },
    asks,
    { state: 'working', confidence: 0.8, rule: 'progress' },
    { error: 'line 5: is longer than 4 MB' },
    { state: 'working', confidence: 0.95, rule: 'title-works' },
  ])
})

test('a row is told while the input is still open, and a reader who leaves ends it', async () => {
  const child = spawn(process.execPath, [bin, 'classify', '--jsonl'], { stdio: ['pipe', 'pipe', 'inherit'] })
  child.stdin.on('error', () => undefined).write(`${JSON.stringify({ screen: dialog })}\n`)
  const [first] = (await once(child.stdout, 'data')) as [Buffer]
  expect(JSON.parse(first.toString())).toMatchObject({ state: 'waiting' })
  const ended = once(child, 'exit')
  child.stdout.destroy()
  child.stdin.write(`${JSON.stringify({ screen: dialog })}\n`)
  expect(await ended).toEqual([0, null])
})

const wipe = 'rules:\n  - { id: wipe, part: dialog, pattern: rm -rf, state: waiting/confirmation }\n'

test('rules of one’s own, also for an agent that lull does not know', async () => {
  const config = rules({ claude: wipe, mine: wipe })
  for (const agent of ['claude', 'mine'])
    expect((await classify(['--agent', agent], dialog, config)).stdout).toContain(
      `Waiting for a confirmation (${agent}: wipe, 0.95).`,
    )
  expect(await classify(['--check'], '', config)).toEqual({
    code: 0,
    stdout: 'claude: ok, 1 rule\nmine: ok, 1 rule\n',
    stderr: '',
  })
})

test('a file that is wrong is told once, and lull’s own rules hold', async () => {
  const config = rules({ claude: `${wipe}  - { id: other, part: header }\n`, codex: '{{' })
  const file = path.join(config, 'lull/agents/claude/screen.yaml')
  const line = JSON.stringify({ agent: 'claude', screen: dialog })
  const { code, stdout, stderr } = await classify(['--jsonl'], `${line}\n${line}\n`, config)
  expect({ code, rows: stdout.match(/"rule":"permission"/g)?.length }).toEqual({ code: 0, rows: 2 })
  expect(stderr.match(/\n/g)).toHaveLength(1)
  expect(stderr).toContain(`${file}:3:24: rules[1].part must be one of dialog`)
  const checked = await classify(['--check'], '', config)
  expect(checked.code).toBe(2)
  expect(checked.stdout.match(/\n/g)).toHaveLength(4)
  expect(checked.stdout).toContain('screen.yaml:1:')
})

test('files that others could write, pipes and large ones are refused', async () => {
  const config = rules({ claude: wipe, gemini: 'x'.repeat(1024 * 1024 + 1) })
  const of = (agent: string) => path.join(config, 'lull/agents', agent)
  chmodSync(path.join(of('claude'), 'screen.yaml'), 0o666)
  for (const agent of ['codex', 'qwen']) mkdirSync(of(agent))
  execFileSync('mkfifo', [path.join(of('codex'), 'screen.yaml')])
  mkdirSync(path.join(of('qwen'), 'screen.yaml'))
  const { code, stdout } = await classify(['--check'], '', config)
  expect(code).toBe(2)
  expect(stdout.trim().split('\n')).toEqual([
    expect.stringContaining('others may write in'),
    expect.stringContaining('is a pipe, not a file'),
    expect.stringContaining('is larger than 1 MB'),
    expect.stringContaining('is a folder, not a file'),
  ])
})
