/** Real loops: the agent and the commands are processes, the file is a file. */
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, test } from 'vitest'
import type { State } from '../../src/core/state.ts'
import type { AgentSession } from '../../src/loop/loop-agent.ts'
import { begin, eventsOf, isAlive, ofType, type Place, ralph, ralphFolder, until } from '../support/ralph.ts'

const idle = '<!-- ralph:state idle -->'
const quick = ['idle:', '  delay: 0.05', '  max_delay: 0.1', '  max: 60']

/** A program that prints the rows of a recorded run. */
const rowsOf = (name: string, change = (text: string): string => text): string =>
  readFileSync(new URL(`../rows/${name}.jsonl`, import.meta.url), 'utf8')
    .trimEnd()
    .split('\n')
    .map(line => (JSON.parse(line) as { line?: string }).line)
    .filter(line => line !== undefined)
    .map(line => JSON.stringify(JSON.parse(change(line))))
    .join('\n')

describe('the agent', () => {
  test('gets the prompt on stdin, with what the commands print now', async () => {
    const place = ralphFolder(
      `${ralph('./agent', 'commands:', '  - {name: count, run: ./count}', '  - {name: where, run: pwd}', 'args: [x]')}{{ ralph.iteration }}/{{ ralph.max_iterations }} {{ commands.count }}{{ args.x }} {{ commands.where }}`,
      { agent: 'cat >> prompts', count: 'echo called >> calls; wc -l < calls; echo to stderr >&2' },
    )
    const events = await eventsOf(place, { maxIterations: 2, args: new Map([['x', 'y']]) })
    expect(place.read('prompts')).toBe(
      `Do it.\n1/2 1\nto stderr\ny ${place.folder}\nDo it.\n2/2 2\nto stderr\ny ${place.folder}\n`,
    )
    expect(ofType(events, 'PROMPT_ASSEMBLED')).toHaveLength(2)
  })

  test('need not read it', async () => {
    const place = ralphFolder(`${ralph('./agent')}${'x'.repeat(2_000_000)}`, { agent: 'exit 0' })
    const events = await eventsOf(place, { maxIterations: 1 })
    expect(ofType(events, 'ITERATION_COMPLETED')).toHaveLength(1)
  })

  test('is told the body as it is at each iteration, and what is gone stays as it was', async () => {
    const body = (text: string): string => ralph('./agent').replace('Do it.', text)
    const place = ralphFolder(body('one'), {
      agent: `cat >> prompts; echo >> prompts
case $(wc -l < prompts) in
  1) sed s/one/two/ RALPH.md > next; sed s/agent:.*/agent:\\ nothing/ next > RALPH.md;;
  2) mv RALPH.md away;;
  3) printf '' > RALPH.md;;
esac`,
    })
    const events = await eventsOf(place, { maxIterations: 4 })
    expect(place.read('prompts').split('\n')).toEqual(['one', 'two', 'two', 'two', ''])
    const warnings = ofType(events, 'LOG_MESSAGE').map(({ message }) => message)
    expect(warnings).toEqual([
      expect.stringMatching(/can't be read now/),
      expect.stringMatching(/no prompt now/),
    ])
  })

  test('its whole output is its final message', async () => {
    const place = ralphFolder(ralph('./agent', ...quick), {
      agent: `echo "$LULL_LOOP" >> ids; test -e work && { rm work; echo did it; exit; }; printf 'nothing\\n\\033[1m${idle}\\033[0m'`,
    })
    place.write('work', '')
    const events = await eventsOf(place, { maxIterations: 3 })
    expect(ofType(events, 'ITERATION_COMPLETED')).toMatchObject([{ iteration: 1, resultText: 'did it\n' }])
    expect(place.read('ids')).toMatch(/^f\w+-1\nf\w+-2\nf\w+-3\n$/)
    expect(ofType(events, 'ITERATION_IDLE')).toMatchObject([
      { idleCount: 1, nextDelay: 50, resultText: `nothing\n${idle}` },
      { idleCount: 2, nextDelay: null },
    ])
  })

  test('is idle as the caller asks for it, whatever the file says', async () => {
    const place = ralphFolder(ralph('./agent', ...quick), { agent: `echo 'Nothing to do. ${idle}'` })
    const waits = async (options: object) =>
      ofType(await eventsOf(place, { maxIterations: 3, ...options }), 'ITERATION_IDLE').map(
        one => one.nextDelay,
      )
    expect(await waits({ idle: { delay: 20, backoff: 3 } })).toEqual([20, 60, null])
    expect(await waits({ idle: false })).toEqual([])
    const events = await eventsOf(place, { maxIterations: 1, idle: { delay: 200 } })
    expect(ofType(events, 'LOG_MESSAGE').map(({ message }) => message)).toEqual([
      'idle.max_delay is raised to 0.2 s, as idle.delay is longer',
    ])
    place.write('RALPH.md', ralph('./agent'))
    expect(await waits({ idle: { delay: 10 } })).toEqual([10, 20, null])
    expect(() => begin(place, { idle: { delay: 10, maxDelay: 5 } })).toThrow('idle.maxDelay must not be less')
    expect(() => begin(place, { idle: { backoff: 0.5 } })).toThrow('idle.backoff must be 1 or more')
  })

  test('whose message only shows a marker works on, and is told why', async () => {
    const place = ralphFolder(ralph('./agent', ...quick), { agent: `echo 'I would print "${idle}" then.'` })
    const events = await eventsOf(place, { maxIterations: 1 })
    expect(ofType(events, 'ITERATION_COMPLETED')).toHaveLength(1)
    expect(ofType(events, 'LOG_MESSAGE').map(({ message }) => message)).toEqual([
      'the agent’s message holds the marker idle, which does not count: it is in quotation marks',
    ])
  })

  test('that only prints what it was told is not idle', async () => {
    const place = ralphFolder(`${ralph('cat', ...quick)}When idle, print\n${idle}\nand no more.`)
    const events = await eventsOf(place, { maxIterations: 1 })
    expect(ofType(events, 'AGENT_OUTPUT_LINE').map(({ line }) => line)).toContain(idle)
    expect(ofType(events, 'ITERATION_COMPLETED')).toHaveLength(1)
  })

  test('that is killed by a signal has failed', async () => {
    const place = ralphFolder(ralph('./agent'), { agent: 'kill -9 $$' })
    const events = await eventsOf(place, { maxIterations: 1 })
    expect(ofType(events, 'ITERATION_FAILED')).toMatchObject([{ reason: 'signal', signal: 'SIGKILL' }])
  })

  test('that fails: its last words are told', async () => {
    const place = ralphFolder(ralph('./agent'), { agent: 'echo first >&2; echo Invalid API key >&2; exit 7' })
    const events = await eventsOf(place, { maxIterations: 1 })
    expect(ofType(events, 'ITERATION_FAILED')).toMatchObject([{ exitCode: 7, error: 'Invalid API key' }])
  })

  test('that goes away while the loop runs could not be started', async () => {
    const place = ralphFolder(ralph('./agent'), { agent: 'rm agent' })
    const events = await eventsOf(place, { maxIterations: 2 })
    expect(ofType(events, 'ITERATION_FAILED')).toMatchObject([
      { reason: 'not_started', error: 'no such command' },
    ])
  })
})

describe('a CLI whose rows are read', () => {
  const said =
    (text: string) =>
    (line: string): string =>
      line.replaceAll('The command finished.', `The command finished.\\n\\n${text}`)

  test('claude is asked for rows, and its last message is read', async () => {
    const place = ralphFolder(ralph('claude -p', ...quick), { claude: `echo "$@" > words; cat rows` })
    place.write('rows', rowsOf('claude-bash', said(idle)))
    const events = await eventsOf(place, { maxIterations: 1 })
    expect(place.read('words')).toBe('-p --output-format stream-json --verbose\n')
    expect(ofType(events, 'ITERATION_IDLE')).toMatchObject([
      { resultText: `The command finished.\n\n${idle}` },
    ])
    const doing = ofType(events, 'AGENT_ACTIVITY').map(
      ({ state, tool }) => tool ?? ('doing' in state ? state.doing : state.kind),
    )
    expect(doing).toEqual(['thinking', 'streaming', 'Bash', 'thinking', 'streaming', 'idle'])
  })

  test('a marker in what a tool printed is none', async () => {
    const place = ralphFolder(ralph('claude -p', ...quick), { claude: 'cat rows' })
    place.write(
      'rows',
      rowsOf('claude-bash', line => line.replaceAll('slept-3', `slept-3\\n${idle}`)),
    )
    const events = await eventsOf(place, { maxIterations: 1 })
    expect(ofType(events, 'ITERATION_COMPLETED')).toHaveLength(1)
  })

  test('behind a script of any name, it is read by the shape of its rows', async () => {
    const place = ralphFolder(ralph('./run.sh', ...quick), {
      'run.sh': `echo "run $LULL_LOOP"; cat rows; echo over`,
    })
    place.write('rows', `${rowsOf('codex-bash', said('<!-- ralph:state done -->'))}\n`)
    const events = await eventsOf(place, { maxIterations: 3 })
    expect(events.at(-1)).toMatchObject({ outcome: 'done', iterations: 1 })
    expect(ofType(events, 'ITERATION_COMPLETED')).toMatchObject([
      { resultText: 'The command finished.\n\n<!-- ralph:state done -->' },
    ])
    expect(ofType(events, 'AGENT_ACTIVITY').at(-1)?.state).toEqual({ kind: 'idle', after: 'turn' })
  })

  test('behind a script, its last word is its result, whatever its tools printed', async () => {
    const place = ralphFolder(ralph('./run.sh', ...quick), { 'run.sh': 'cat rows' })
    place.write(
      'rows',
      rowsOf('claude-bash', line => line.replaceAll('slept-3', `slept-3\\n${idle}`)),
    )
    const events = await eventsOf(place, { maxIterations: 1 })
    expect(ofType(events, 'ITERATION_COMPLETED')).toMatchObject([{ resultText: 'The command finished.' }])
  })

  test('an answer in one JSON text is its final message', async () => {
    const place = ralphFolder(ralph('gemini -o json', ...quick), { gemini: 'cat answer' })
    const answer = { session_id: 's', response: `Nothing to do. ${idle}`, stats: { models: {} } }
    place.write('answer', JSON.stringify(answer, undefined, 2))
    const events = await eventsOf(place, { maxIterations: 1 })
    expect(ofType(events, 'ITERATION_IDLE')).toMatchObject([{ resultText: answer.response }])
  })

  test('a provider’s limit is told', async () => {
    const place = ralphFolder(ralph('codex exec --json'), { codex: 'cat rows; exit 1' })
    place.write('rows', rowsOf('codex-e429'))
    const events = await eventsOf(place, { maxIterations: 1, stopOnError: true })
    expect(ofType(events, 'ITERATION_FAILED')).toMatchObject([
      { reason: 'limit', error: 'exceeded retry limit, last status: 429 Too Many Requests' },
    ])
    expect(events.at(-1)).toMatchObject({ outcome: 'limited' })
  })

  test('a CLI that prints no rows after all is read as any other', async () => {
    const place = ralphFolder(ralph('codex exec --json', ...quick), { codex: `echo '${idle}'` })
    const events = await eventsOf(place, { maxIterations: 1 })
    expect(ofType(events, 'ITERATION_IDLE')).toHaveLength(1)
  })

  test('a permission that it waits for is told while it waits', async () => {
    const request = {
      type: 'permission.requested',
      data: { requestId: 'r1', permissionRequest: { fullCommandText: 'rm -rf x' } },
    }
    const place = ralphFolder(ralph('copilot --output-format json'), {
      copilot: `cat rows; until [ -e answer ]; do sleep 0.05; done`,
    })
    place.write(
      'rows',
      `${rowsOf('copilot-bash').split('\n').slice(0, 12).join('\n')}\n${JSON.stringify(request)}\n`,
    )
    const states: State[] = []
    let session: AgentSession | undefined
    const run = begin(place, {
      maxIterations: 1,
      onSession: one => {
        session = one
      },
    })
    for await (const event of run) {
      if (event.type === 'BLOCKED') {
        expect(event).toMatchObject({ by: 'agent', for: 'permission', reason: 'rm -rf x' })
        const state = session?.track.get(session.id)?.verdict.state
        if (state) states.push(state)
        place.write('answer', '')
      }
    }
    expect(states).toEqual([{ kind: 'waiting', for: 'permission' }])
    expect(session).toMatchObject({
      agent: 'copilot',
      iteration: 1,
      cwd: place.folder,
      pid: expect.any(Number),
    })
    expect(session?.track.get(session.id)?.verdict.state).toEqual({ kind: 'exited', code: 0 })
  })
})

/** Each has noted its pid. */
const hasBegun = (place: Place, ...files: readonly string[]): boolean =>
  files.every(file => place.has(file) && place.read(file).endsWith('\n'))

describe('what an agent leaves behind', () => {
  test('after a timeout nothing of it is left, whatever it ignores', async () => {
    // A machine under load may not have begun all of it within half a second.
    const place = ralphFolder(ralph('./agent'), {
      agent: `trap '' TERM; sh -c 'trap "" TERM; echo $$ > child; while :; do sleep 1; done' & echo $$ > self; while :; do sleep 1; done`,
    })
    for (let timeout = 500; !hasBegun(place, 'self', 'child'); timeout *= 2) {
      const events = await eventsOf(place, { maxIterations: 1, timeout })
      expect(ofType(events, 'ITERATION_TIMED_OUT')).toMatchObject([{ timeout }])
    }
    const pids = ['self', 'child'].map(file => Number(place.read(file)))
    await until('both are gone', () => !pids.some(isAlive))
  })

  test('a server that keeps the output open does not hold the loop up, and lives on', async () => {
    const place = ralphFolder(ralph('./agent'), {
      agent: `(for i in $(seq 1000); do [ -e go ] && break; echo tick; sleep 0.1; done; echo alive > end) & echo started`,
    })
    const events = await eventsOf(place, { maxIterations: 1 })
    expect(ofType(events, 'ITERATION_COMPLETED')).toHaveLength(1)
    expect(place.has('end')).toBe(false)
    place.write('go', '')
    await until('the server has come to its own end', () => place.has('end'))
  })

  test('a loop whose reader leaves ends it', async () => {
    const place = ralphFolder(ralph('./agent'), { agent: 'echo $$ > self; sleep 1000' })
    const run = begin(place)
    for await (const event of run) {
      if (event.type === 'PROMPT_ASSEMBLED') {
        await until('it has started', () => place.has('self') && place.read('self') !== '')
        break
      }
    }
    expect(await run.outcome).toEqual({ outcome: 'terminated' })
    await until('it is gone', () => !isAlive(Number(place.read('self'))))
  })
})

test('a loop that leaves its scope ends what runs, and waits for it', async () => {
  const place = ralphFolder(ralph('./agent'), { agent: 'echo $$ > self; sleep 1000' })
  {
    await using _ = begin(place)
    await until('it has started', () => place.has('self') && place.read('self') !== '')
  }
  expect(isAlive(Number(place.read('self')))).toBe(false)
})

describe('commands', () => {
  const printing = (...commands: string[]): string =>
    `${ralph('./agent', 'commands:', ...commands.map((run, i) => `  - {name: c${i}, ${run}}`))}${commands.map((_, i) => `[{{ commands.c${i} }}]`).join('')}`

  test('their output counts whatever their end', async () => {
    const place = ralphFolder(
      printing(
        'run: sh -c "echo a; exit 3"',
        'run: no-such-program x',
        'run: sh -c "echo b; kill -9 $$"',
        'run: ./not-a-program',
      ),
      { agent: 'cat > prompt' },
    )
    place.write('not-a-program', '')
    const events = await eventsOf(place, { maxIterations: 1 })
    expect(place.read('prompt')).toBe(
      'Do it.\n[a\n][no-such-program: no such command\n][b\n][./not-a-program: may not be run\n]',
    )
    expect(ofType(events, 'COMMANDS_COMPLETED')).toMatchObject([
      {
        results: [
          { name: 'c0', code: 3 },
          { name: 'c1', problem: 'not_found' },
          { name: 'c2', problem: 'killed' },
          { name: 'c3', problem: 'not_found' },
        ],
      },
    ])
  })

  test('one that never ends is ended, with what it started; what it printed counts', async () => {
    const ralphOf = (timeout: number) =>
      printing(
        `run: sh -c "echo begun; sleep 1000 & echo $! > child; wait", timeout: ${timeout}`,
        'run: echo next',
      )
    const place = ralphFolder(ralphOf(0.5), { agent: 'cat > prompt' })
    // A machine under load may not have begun it within half a second.
    for (let timeout = 0.5; !hasBegun(place, 'child'); timeout *= 2) {
      place.write('RALPH.md', ralphOf(timeout))
      const events = await eventsOf(place, { maxIterations: 1 })
      expect(ofType(events, 'COMMANDS_COMPLETED')[0]?.results[0]).toEqual({
        name: 'c0',
        problem: 'timed_out',
      })
    }
    expect(place.read('prompt')).toBe('Do it.\n[begun\n][next\n]')
    await until('its child is gone', () => !isAlive(Number(place.read('child'))))
  })

  test('of one that prints without end, the beginning and the end are kept', async () => {
    const place = ralphFolder(printing('run: ./much'), {
      agent: 'cat > prompt',
      much: `echo first; head -c 50000000 /dev/zero | tr '\\0' x; echo; echo last`,
    })
    await eventsOf(place, { maxIterations: 1 })
    const prompt = place.read('prompt')
    expect(prompt.length).toBeLessThan(1_100_000)
    expect(prompt).toMatch(/^Do it\.\n\[first\nx+\n\[… \d+ characters left out …\]\nx+\nlast\n\]$/)
  })
})

describe('-l', () => {
  test('the log is written while the agent runs', async () => {
    const place = ralphFolder(ralph('./agent'), {
      agent: `echo begun; echo careful >&2; until [ -e go ]; do sleep 0.05; done; echo over`,
    })
    const run = begin(place, { maxIterations: 1, logDir: 'logs/deep' })
    let isLogged = false
    for await (const event of run) {
      if (event.type === 'AGENT_OUTPUT_LINE' && event.line === 'careful') {
        const [log] = logs(place.folder)
        expect(readFileSync(log as string, 'utf8')).toBe('begun\ncareful\n')
        isLogged = true
        place.write('go', '')
      }
    }
    expect(isLogged).toBe(true)
    const [log] = logs(place.folder)
    expect(path.basename(log as string)).toMatch(/^001_\d{8}-\d{6}\.log$/)
    expect(readFileSync(log as string, 'utf8')).toBe('begun\ncareful\nover\n')
  })

  test('a folder that is taken away is told once, and the loop goes on', async () => {
    const place = ralphFolder(ralph('./agent'), { agent: 'rm -rf logs; echo hello' })
    const events = await eventsOf(place, { maxIterations: 2, logDir: 'logs' })
    expect(ofType(events, 'ITERATION_COMPLETED')).toHaveLength(2)
    expect(ofType(events, 'LOG_MESSAGE').map(({ message }) => message)).toEqual([
      expect.stringMatching(/002_.*\.log can't be written/),
    ])
  })
})

function logs(folder: string): string[] {
  const { globSync } = process.getBuiltinModule('node:fs')
  return globSync('logs/**/*.log', { cwd: folder }).map(file => path.join(folder, file))
}

test('a slow reader loses lines of output and nothing else', async () => {
  const place = ralphFolder(ralph('./agent', ...quick), { agent: `seq 1 30000; echo '${idle}'` })
  const run = begin(place, { maxIterations: 1 })
  await run.outcome
  const events = []
  for await (const event of run) events.push(event)
  expect(ofType(events, 'AGENT_OUTPUT_LINE').length).toBeLessThanOrEqual(10_000)
  expect(ofType(events, 'LOG_MESSAGE')[0]?.message).toMatch(/^\d+ lines of output came too fast/)
  expect(ofType(events, 'ITERATION_IDLE')).toHaveLength(1)
})
