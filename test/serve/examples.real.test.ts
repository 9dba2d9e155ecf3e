/** The programs of docs/api.md, run as they stand against an API that is served. */
import { spawn } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { endWithTest } from '../support/end-with-test.ts'
import { temporaryFolder } from '../support/lull.ts'
import { served } from '../support/served.ts'
import { hasProgram } from '../support/tmux-server.ts'
import { until } from '../support/until.ts'

const page = readFileSync(new URL('../../docs/api.md', import.meta.url), 'utf8')

function codeOf(language: string): string {
  const found = [...page.matchAll(new RegExp(`^\`\`\`${language}\\n([\\s\\S]*?)^\`\`\``, 'gm'))].map(
    ([, code]) => code,
  )
  const [code = ''] = found.filter(one => /LULL_TOKEN/.test(one ?? ''))
  expect(code).not.toBe('')
  return code
}

function run(words: readonly string[], env: Readonly<Record<string, string>>) {
  const [program = '', ...args] = words
  const child = spawn(program, args, { env: { ...process.env, ...env }, stdio: ['ignore', 'pipe', 'pipe'] })
  endWithTest(child)
  let text = ''
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', piece => (text += piece))
  const says = (part: string) =>
    until(
      () => text,
      all => all.includes(part),
      `"${part}" of ${program}`,
    )
  return { says, kill: () => child.kill() }
}

test.runIf(hasProgram('curl'))('curl lists sessions', async () => {
  const { url, token, post } = await served()
  await post('/v1/open', { name: 'box', words: ['bash', '--norc'] })
  const line = codeOf('sh').trim().split('\n').at(-1) ?? ''
  const command = line.replace('http://127.0.0.1:4770', url).replace('?needsMe=true', '')
  const curl = run(['sh', '-c', command], { LULL_TOKEN: token })
  await curl.says('"sessions":[')
})

test.runIf(hasProgram('python3'))('Python follows the events', async () => {
  const { url, token, post } = await served()
  const file = path.join(temporaryFolder(), 'events.py')
  writeFileSync(file, codeOf('python'))
  const python = run(['python3', file], { LULL_URL: url, LULL_TOKEN: token })
  await python.says('snapshot')
  await post('/v1/open', { name: 'box', words: ['bash', '--norc'] })
  await python.says('session.changed idle')
  python.kill()
})

test.runIf(hasProgram('go'))('Go sends a text and waits', async () => {
  const { url, token, post } = await served()
  await post('/v1/open', { name: 'box', words: ['bash', '--norc'] })
  const folder = temporaryFolder()
  writeFileSync(path.join(folder, 'main.go'), codeOf('go').replace('run the tests', 'echo ran'))
  const env = { LULL_URL: url, LULL_TOKEN: token, GOCACHE: path.join(folder, 'cache'), HOME: folder }
  const go = run(['go', 'run', path.join(folder, 'main.go'), 'box'], env)
  await go.says('200 OK')
  await go.says('"confirmed":true')
})
