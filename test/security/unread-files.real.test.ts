/** Agents' files that can't be read, or lead elsewhere: nothing of them is taken, and whoever asks of the session is told. */
import { execFileSync } from 'node:child_process'
import { mkdirSync, readFileSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, test } from 'vitest'
import { agents } from '../../src/agents/registry.ts'
import { confidenceBesideUnread } from '../../src/core/judge/confidence.ts'
import { tailFile } from '../../src/os/file/tail-file.ts'
import { agentFilesOnly } from '../../src/sessions/discover/agent-file-search.ts'
import { localSessions } from '../../src/sessions/local-sessions.ts'
import { realClock } from '../../src/track/clock.ts'
import { finished, news, sessionOf, status } from '../support/live.ts'
import { temporaryFolder } from '../support/lull.ts'
import { lullHere } from '../support/lull-here.ts'
import { ownPlaces, startLull } from '../support/running.ts'
import { type StandIn, startStandIn } from '../support/stand-in.ts'
import { sessionOf as liveSessionOf } from '../support/until.ts'

const id = '11111111-2222-3333-4444-555555555555'
const line = (text: string): string =>
  `${JSON.stringify({
    type: 'assistant',
    timestamp: new Date().toISOString(),
    message: { stop_reason: 'end_turn', content: [{ type: 'text', text }] },
  })}\n`

const placesAt = ({ home }: StandIn) => ({ ...ownPlaces(), HOME: home })

/** What each command says of the session. */
async function told(agent: StandIn) {
  const env = placesAt(agent)
  const run = async (...words: string[]) => (await lullHere(words, env)).stdout
  const [ps, explain, doctors] = await Promise.all([
    run('ps', '--json'),
    run('explain', `pid:${agent.pid}`),
    run('hooks', 'doctor', 'claude'),
  ])
  type Row = { readonly id: string; readonly pid: number; readonly why: string }
  const row = (JSON.parse(ps) as { sessions: Row[] }).sessions.find(({ pid }) => pid === agent.pid)
  const doctor = doctors.split('\n').find(said => said.includes(` ${row?.id} `))
  return [row?.why, explain, doctor]
}

const transcriptOf = (agent: StandIn): string =>
  path.join(agent.home, `.claude/projects/-project/${id}.jsonl`)

describe.runIf(process.platform === 'linux')('what can’t be read of a session', () => {
  const odd: readonly (readonly [string, (at: string) => unknown, RegExp])[] = [
    ['a pipe', at => execFileSync('mkfifo', [at]), /transcript \(is a pipe, not a file\)/],
    ['a folder', at => mkdirSync(at), /transcript \(is a folder, not a file\)/],
    ['a link to a device', at => symlinkSync('/dev/zero', at), /transcript \(is a device, not a file\)/],
    [
      'a link that leads out',
      at => symlinkSync(path.join(temporaryFolder(), 'nothing-there'), at),
      /transcript \(links lead out of where it should lie\)/,
    ],
  ]

  /** What is known of it, and how sure it is. */
  async function known(agent: StandIn) {
    const live = localSessions(realClock(), { stateFolder: path.join(agent.home, 'state') })
    const { session } = await liveSessionOf(live, agent.pid)
    await live.close()
    return { degraded: session.facts.degraded, confidence: session.verdict.confidence }
  }

  test.each(odd)('is known of %s in its transcript’s place, and less is claimed', async (what, put, said) => {
    const agent = await startStandIn()
    const file = transcriptOf(agent)
    mkdirSync(path.dirname(file), { recursive: true })
    put(file)
    if (what === 'a link that leads out')
      writeFileSync(execFileSync('readlink', [file]).toString().trim(), line('x'))
    agent.status({ status: 'idle', sessionId: id, statusUpdatedAt: Date.now() })
    const { degraded, confidence } = await known(agent)
    expect(degraded).toMatch(said)
    expect(confidence).toBeLessThanOrEqual(0.5)
  })

  const torn: readonly (readonly [string, string, RegExp])[] = [
    ['torn', '{"status":"idle"', /status file \(is torn, or no JSON\)/],
    ['deep', `{"x":${'['.repeat(200_000)}${']'.repeat(200_000)}}`, /status file \(is larger than 64 kB\)/],
    ['20 MB', `{"x":"${'x'.repeat(20 * 1024 * 1024)}"}`, /status file \(is larger than 64 kB\)/],
  ]

  test.each(torn)('is known of a status file that is %s', async (_, content, said) => {
    const agent = await startStandIn()
    agent.write(`.claude/sessions/${agent.pid}.json`, content)
    expect((await known(agent)).degraded).toMatch(said)
  })

  test('is said by `lull ps`, `lull explain` and `lull hooks doctor`', async () => {
    const agent = await startStandIn()
    agent.write(`.claude/sessions/${agent.pid}.json`, '{"status":')
    expect(await told(agent)).toEqual(
      Array(3).fill(expect.stringContaining('status file (is torn, or no JSON)')),
    )
  })

  test('is not said of what is only not there yet', async () => {
    const agent = await startStandIn()
    agent.status({ status: 'idle', sessionId: id, statusUpdatedAt: Date.now() })
    const { degraded, confidence } = await known(agent)
    expect(degraded).toBeUndefined()
    expect(confidence).toBeGreaterThan(0.5)
  })
})

test('an end that a hook told stays as sure beside a file that can’t be read', () => {
  const byHook = sessionOf([news(1, finished)]).verdict
  const byStatus = sessionOf([status(1, finished)]).verdict
  expect(confidenceBesideUnread(byHook)).toBe(byHook.confidence)
  expect(confidenceBesideUnread(byStatus)).toBe(0.5)
})

describe('a link that is put in a transcript’s place later', () => {
  const replaced = (file: string): void => {
    const secret = path.join(temporaryFolder(), 'secret.jsonl')
    writeFileSync(secret, line('SECRET'))
    rmSync(file)
    symlinkSync(secret, file)
  }

  /** A file that was followed before it was replaced; what was read of it; and why no more was. */
  function followed(name: string): { readonly read: string; readonly failure: unknown } {
    const home = realpathSync(temporaryFolder())
    const file = path.join(home, '.claude/projects/-project', name)
    mkdirSync(path.dirname(file), { recursive: true })
    writeFileSync(file, line('OPEN'))
    const read: string[] = []
    const tail = tailFile(
      file,
      lines => read.push(...lines),
      agentFilesOnly(agents.claude, { env: { HOME: home } }),
    )
    tail.readOn()
    replaced(file)
    tail.readOn()
    tail.close()
    return { read: read.join(), failure: tail.failure() }
  }

  test('is not read by who follows it', () => {
    const { read, failure } = followed(`${id}.jsonl`)
    expect(read).toContain('OPEN')
    expect(read).not.toContain('SECRET')
    expect(failure).toMatchObject({ code: 'NOT_A_FILE' })
  })

  test('nor is one in the place of a subagent’s', () => {
    const { read } = followed(path.join(id, 'subagents/agent-1.jsonl'))
    expect(read).toContain('OPEN')
    expect(read).not.toContain('SECRET')
  })

  test.runIf(process.platform === 'linux')('is not read by who records it', async () => {
    const agent = await startStandIn()
    agent.status({ status: 'idle', sessionId: id, statusUpdatedAt: Date.now() })
    const file = transcriptOf(agent)
    mkdirSync(path.dirname(file), { recursive: true })
    writeFileSync(file, line('OPEN'))
    const record = async (output: string) => {
      const env = placesAt(agent)
      const running = startLull(['record', `pid:${agent.pid}`, '-o', output], env)
      await running.says('recording claude')
      running.kill('SIGINT')
      await running.ended
      return readFileSync(output, 'utf8')
    }
    expect(await record(path.join(agent.home, 'open.cast'))).toContain('OPEN')
    replaced(file)
    expect(await record(path.join(agent.home, 'later.cast'))).not.toContain('SECRET')
  })
})
