/** Completion: what is proposed, and that each shell that is installed takes its script. */
import { execFile } from 'node:child_process'
import { chmodSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { promisify } from 'node:util'
import { describe, expect, test } from 'vitest'
import { proposalsFor, sessionWords } from '../../src/cli/completion/proposals.ts'
import { program } from '../../src/cli/program.ts'
import { thinking, withVerdict } from '../support/live.ts'
import { bin, lull, temporaryFile, temporaryFolder } from '../support/lull.ts'
import { ownPlaces } from '../support/running.ts'
import { hasProgram, tmuxServer } from '../support/tmux-server.ts'
import { until } from '../support/until.ts'

const whole = await program('0')
const proposed = (line: string) => proposalsFor(whole, line.split(' '))
const wordsAt = (line: string): readonly string[] => proposed(line).words.map(({ word }) => word)

describe('what is proposed', () => {
  test('commands, with what they do; those that are hidden are not', () => {
    expect(proposed('').words).toContainEqual({
      word: 'watch',
      about: expect.stringMatching(/^show that table live/),
    })
    expect(wordsAt('')).not.toContain('complete')
    expect(wordsAt('host ')).toEqual(expect.arrayContaining(['start', 'status']))
    expect(wordsAt('host ')).not.toContain('run')
  })

  test.each([
    ['wait ', 'sessions'],
    ['wait web ', 'sessions'],
    ['ls ', 'sessions'],
    ['wait --timeout 5 ', 'sessions'],
    ['respawn ', 'sessions'],
    ['respawn pause ', 'sessions'],
    ['mcp --only ', 'sessions'],
    ['attach ', 'terminals'],
    ['replay ', 'files'],
    ['send web --file ', 'files'],
    ['run -- ', 'files'],
    ['wait --timeout ', undefined],
    ['open ', undefined],
    ['keys web ', undefined],
    ['go web ', undefined],
  ])('lull %s: %s', (line, also) => expect(proposed(line).also).toBe(also))

  test.each([
    ['wait --n', ['--next', '--needs-me'], ['--next']],
    ['ls --n', ['--next', '--needs-me'], ['--needs-me']],
    ['hooks install ', ['pi', 'amp'], ['pi']],
    ['skill install ', ['pi', 'codex', 'copilot'], ['pi', 'codex']],
    ['explain --agent ', ['amp', 'pi'], ['amp', 'pi']],
    ['wait --for ', ['waiting'], ['waiting']],
    // As bash tears it apart.
    ['wait --for = ', ['waiting'], ['waiting']],
    ['completion ', ['zsh'], ['zsh']],
  ])('lull %s: of %j it is %j', (line, asked, found) =>
    expect(asked.filter(word => wordsAt(line).includes(word))).toEqual(found),
  )

  test('behind --for= the value, with what stands before it', () => {
    expect(proposed('wait --for=')).toMatchObject({ prefix: '--for=' })
    expect(wordsAt('wait --for=')).toContain('waiting')
    expect(proposed('wait --nothing=')).toEqual({ words: [] })
  })
})

test('a session is proposed by what means it alone, and by nothing that a shell would read something into', () => {
  const of = (id: string, cwd: string, name?: string) =>
    withVerdict({ state: thinking }, { id, cwd, pid: 4_194_400, ...(name === undefined ? {} : { name }) })
  const sessions = [
    of('aaaa0000', '/srv/api'),
    of('bbbb0000', '/srv/web'),
    of('cccc0000', '/home/dev/web'),
    of('dddd0000', '/srv/$(reboot)'),
    of('eeee0000', '/srv/a b'),
    of('ffff0000', '/srv/-rf'),
    of('gggg0000', '/srv/x;y\u001b[2J'),
    of('hhhh0000', '/srv/x', 'build'),
    of('iiii0000', '/srv/日本語'),
  ]
  const words = sessionWords(sessions, { cwd: '/', home: '/home/dev' })
  expect(words.map(({ word }) => word)).toEqual([
    'api',
    'bbbb0000',
    'cccc0000',
    'dddd0000',
    'eeee0000',
    'ffff0000',
    'gggg0000',
    'build',
    '日本語',
  ])
  expect(words[2]?.about).toBe('claude, working/thinking, ~/web')
})

/** A folder with a `lull` in it, as the script calls it. */
function pathWithLull(): string {
  const folder = temporaryFolder()
  const file = path.join(folder, 'lull')
  writeFileSync(file, `#!/bin/sh\nexec ${process.execPath} ${bin} "$@"\n`)
  chmodSync(file, 0o755)
  return `${folder}:${process.env.PATH}`
}

const scriptFor = async (shell: string): Promise<string> =>
  temporaryFile(`completion.${shell}`, (await lull(['completion', shell])).stdout)

const run = promisify(execFile)

test('a shell that is not known is one sentence', async () => {
  const { code, stderr } = await lull(['completion', 'ksh'])
  expect({ code, stderr }).toEqual({
    code: 2,
    stderr: 'lull: completion ksh: unknown shell; use bash, zsh, fish\n',
  })
})

test('bash', async () => {
  const env = { ...process.env, ...ownPlaces(), PATH: pathWithLull() }
  const ask = `source "$1"; shift; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _lull; printf '%s\\n' "\${COMPREPLY[@]}"`
  const script = await scriptFor('bash')
  const proposals = async (...words: readonly string[]) =>
    (
      await run('bash', ['--norc', '-c', ask, 'bash', script, ...words], { env, cwd: import.meta.dirname })
    ).stdout
      .trimEnd()
      .split('\n')
  expect(await proposals('lull', 'wa')).toEqual(['watch', 'wait'])
  expect(await proposals('lull', 'wait', '--for', '=')).toContain('waiting')
  expect(await proposals('lull', 'replay', 'completion.r')).toEqual(['completion.real.test.ts'])
})

test.runIf(hasProgram('fish'))('fish', async () => {
  const env = { ...process.env, ...ownPlaces(), PATH: pathWithLull() }
  const ask = `source ${await scriptFor('fish')}; complete -C 'lull hooks in'; complete -C 'lull wait --nex'`
  const { stdout } = await run('fish', ['--no-config', '-c', ask], { env })
  expect(stdout).toBe(
    'install\tadd hooks for the events that the installed CLI knows\n--next\tignore the current turn; only a turn that begins from now on counts\n',
  )
})

test.runIf(hasProgram('zsh') && hasProgram('tmux'))('zsh, as a person presses Tab', async () => {
  const { start, tmux, screen } = tmuxServer()
  const variables = Object.entries({ ...ownPlaces(), PATH: pathWithLull() }).map(pair => pair.join('='))
  const pane = start('env', ...variables, 'PS1=ready> ', 'zsh', '-f')
  const type = (...keys: readonly string[]) => tmux('send-keys', '-t', pane, ...keys)
  const shows = (text: string) =>
    until(
      () => screen(pane),
      shown => shown.includes(text),
      `"${text}"`,
    )
  await shows('ready>')
  type(`autoload -Uz compinit && compinit -D -u && source ${await scriptFor('zsh')} && echo set`, 'Enter')
  await until(
    () => screen(pane),
    shown => /^set$/m.test(shown),
  )
  type('lull hooks unin', 'Tab')
  await shows('lull hooks uninstall')
  type('C-u', 'lull wa', 'Tab')
  await shows('-- wait until sessions are ready for the next step')
})
