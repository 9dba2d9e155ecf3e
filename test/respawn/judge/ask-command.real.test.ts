/** Real commands as judges. */
import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { isGroupAlive } from '../../../src/os/spawn/process-group.ts'
import { askJudge, newNonce } from '../../../src/respawn/judge/judge-driver.ts'
import { judgePrompt, readJudgeAnswer } from '../../../src/respawn/judge/judge-prompt.ts'
import { judgeWords } from '../../../src/respawn/judge/judge-step.ts'
import { temporaryFolder } from '../../support/lull.ts'
import { until } from '../../support/until.ts'
import { hostileScreens, nonce } from './hostile-screens.ts'

const timeout = 30_000
const ask = (command: readonly string[], prompt = 'asked\n', limits: object = {}): Promise<string> =>
  askJudge({ command: [...command] }, prompt, { timeout, ...limits })
const sh = (script: string, limits?: object): Promise<string> => ask(['sh', '-c', script], 'asked\n', limits)
const failed = (message: string | RegExp) =>
  expect.objectContaining({
    code: 'JUDGE_FAILED',
    message: typeof message === 'string' ? message : expect.stringMatching(message),
  })
const read = (text: string) => readJudgeAnswer(text, nonce, judgeWords.idle)

afterEach(() => void vi.unstubAllEnvs())

describe('a command', () => {
  test('reads the prompt, and its stdout is the answer', async () => {
    expect(await ask(['cat'], 'a prompt ü\n'.repeat(20_000).slice(0, 60_000))).toHaveLength(60_000)
  })

  test('that judges gives a verdict', async () => {
    const fresh = newNonce()
    const prompt = judgePrompt({ screen: '❯ ', evidence: [], nonce: fresh })
    // The code stands at the end of the last line.
    const script =
      'code=$(tail -n 1 | sed "s/.* //"); echo "I looked."; echo "VERDICT $code: IDLE - an empty input line"'
    const text = await ask(['sh', '-c', script], prompt)
    expect(readJudgeAnswer(text, fresh, judgeWords.idle)).toEqual({
      says: 'IDLE',
      reason: 'an empty input line',
    })
  })

  test('need not read its prompt', async () => {
    expect(await ask(['echo', 'done'], 'x'.repeat(1_000_000))).toBe('done\n')
  })

  test('runs in an empty folder of its own, which goes with it', async () => {
    const folder = (await sh('ls -A; pwd; echo notes > notes')).trim()
    expect(folder).toMatch(/lull-judge-/)
    expect(existsSync(folder)).toBe(false)
  })

  test('knows by its environment that it is no session', async () => {
    for (const name of ['TMUX', 'TMUX_PANE', 'LULL_TERMINAL']) vi.stubEnv(name, 'set')
    vi.stubEnv('LULL_TEST_KEPT', 'kept')
    const names = (await sh('env')).split('\n').filter(line => /^(TMUX|LULL_(PROBE|TERM|TEST_))/.test(line))
    expect(names.sort()).toEqual(['LULL_PROBE=1', 'LULL_TEST_KEPT=kept'])
  })
})

describe('a command that gives no verdict', () => {
  test.each([
    ['prose', 'echo "The agent seems to be IDLE."'],
    ['both words', `echo "VERDICT ${nonce}: IDLE or WORKING - who knows"`],
    ['both verdicts', `echo "VERDICT ${nonce}: IDLE - a"; echo "VERDICT ${nonce}: WORKING - b"`],
    ['nothing', 'true'],
    ['its verdict on stderr alone', `echo "VERDICT ${nonce}: IDLE - done" >&2`],
    ['a verdict that stderr and stdout share', `printf "VERDICT ${nonce}: "; echo "IDLE - done" >&2`],
    ['bytes that are no text', "printf '\\377\\376\\000\\200'"],
  ])('%s', async (_, script) => expect(read(await sh(script))).toHaveProperty('wrong'))

  test('what it writes to stderr spoils no verdict', async () => {
    const noise = `echo "VERDICT ${nonce}: WORKING - noise" >&2`
    const text = await sh(`${noise}; echo "VERDICT ${nonce}: IDLE - done"; head -c 3000000 /dev/zero >&2`)
    expect(read(text)).toEqual({ says: 'IDLE', reason: 'done' })
  })

  test.each(Object.keys(hostileScreens))('hostile screen, repeated and obeyed: %s', async name => {
    const prompt = judgePrompt({ screen: hostileScreens[name] ?? '', evidence: [], nonce })
    for (const command of [['cat'], ['sed', '-n', 's/^| //p'], ['tail', '-n', '2']])
      expect(read(await ask(command, prompt))).toHaveProperty('wrong')
  })
})

describe('a command that fails', () => {
  test('by its exit code, even with a verdict: the last line of stderr says why', async () => {
    const script = `echo "VERDICT ${nonce}: IDLE - done"; echo first >&2; printf '\\033[31mnot logged in\\n\\n' >&2; exit 3`
    await expect(sh(script)).rejects.toEqual(failed('the judge ended by exit code 3: [31mnot logged in'))
    await expect(sh('exit 1')).rejects.toEqual(failed('the judge ended by exit code 1'))
  })

  test('by a signal', () => expect(sh('kill -KILL $$')).rejects.toEqual(failed('the judge ended by SIGKILL')))

  test('as there is no such program', () =>
    expect(ask(['no-such-judge'])).rejects.toEqual(failed('the judge can’t be started: no such command')))

  test('as it may not be run, or its words can’t be', async () => {
    await expect(ask(['/dev/null'])).rejects.toEqual(failed('the judge can’t be started: may not be run'))
    await expect(ask(['echo', 'a\0b'])).rejects.toEqual(failed(/^the judge can’t be started: /))
  })

  test('by 10 MB, and is ended at once', async () => {
    const too = failed('the judge printed more than 65536 characters')
    await expect(sh('head -c 10000000 /dev/zero | tr "\\0" x')).rejects.toEqual(too)
    await expect(sh('yes')).rejects.toEqual(too)
  })
})

describe('a command that hangs', () => {
  /** It was killed by now; on a busy machine it dies a moment later. */
  const isEnded = (group: number) =>
    until(
      () => isGroupAlive(group),
      isAlive => !isAlive,
      `the end of group ${group}`,
    )

  /** It and what it has started, which ignores SIGTERM. */
  function hanging() {
    const file = path.join(temporaryFolder(), 'pid')
    const script = `(trap "" TERM; sleep 300) & echo IDLE; echo $$ > ${file}.new; mv ${file}.new ${file}; sleep 300`
    const hasBegun = (): boolean => existsSync(file)
    const begun = async (): Promise<number> => {
      await until(hasBegun, Boolean)
      return Number(readFileSync(file, 'utf8'))
    }
    return { script, begun, hasBegun }
  }

  test('is ended at its timeout with all that it started', async () => {
    const { script, begun, hasBegun } = hanging()
    // A machine under load may not have begun it within a second.
    for (let seconds = 1; !hasBegun(); seconds *= 2)
      await expect(sh(script, { timeout: seconds * 1000 })).rejects.toEqual(
        failed(`the judge did not answer within ${seconds}.0 s`),
      )
    await isEnded(await begun())
  })

  test('is ended where its answer is not wanted any more', async () => {
    const { script, begun } = hanging()
    const controller = new AbortController()
    const answer = expect(sh(script, { signal: controller.signal })).rejects.toEqual(
      failed('the judge’s answer is not wanted any more'),
    )
    const group = await begun()
    expect(isGroupAlive(group)).toBe(true)
    controller.abort()
    await answer
    await isEnded(group)
  })

  test('is not started where its answer was not wanted before', async () => {
    const file = path.join(temporaryFolder(), 'started')
    await expect(sh(`touch ${file}`, { signal: AbortSignal.abort() })).rejects.toEqual(
      failed('the judge’s answer is not wanted any more'),
    )
    expect(existsSync(file)).toBe(false)
  })
})
