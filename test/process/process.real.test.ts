/** Programs whose truth is known, looked at while they run: a dozen of `npm run bench:process`. */
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { commandsOf } from '../../bench/process/commands.ts'
import { isCalledStuck, worstHealth } from '../../bench/process/levels.ts'
import { buildPrograms, missing, type Programs } from '../../bench/process/programs.ts'
import type { Scenario } from '../../bench/process/scenario.ts'
import { scenarios } from '../../bench/process/scenarios.ts'
import { runOne } from '../../bench/process/scenarios-run.ts'
import { until } from '../support/until.ts'

const named = (...names: string[]): Scenario[] =>
  names.map(name => {
    const found = scenarios.find(scenario => scenario.name === name)
    if (!found) throw new Error(`no scenario is called ${name}`)
    return found
  })

const stuck = named(
  'cat',
  'node readline question',
  'python runs cat',
  'pty getpass',
  'pthread ABBA',
  'python Lock ABBA',
  'Popen(PIPE).wait()',
)
const unprivileged = named('cat, seen without privileges')
const legitimate = named('sleep 1000', 'yes | sleep 60', 'agent on network, idle MCP', 'timeout 600 cat')
const hidden = named('process of another user')

/** A machine under load starts processes slowly. */
vi.setConfig({ maxConcurrency: 5 })

let programs: Programs
beforeAll(async () => {
  const all = [...stuck, ...unprivileged, ...legitimate, ...hidden]
  programs = await buildPrograms(all.filter(scenario => !missing(scenario)).flatMap(commandsOf))
})
afterAll(() => programs.close())

/** Without the baseline's readings. */
async function look(scenario: Scenario, skip: (why: string) => void) {
  const lacks = process.platform === 'linux' ? missing(scenario) : 'needs Linux'
  if (lacks) skip(lacks)
  const observation = await runOne(scenario, programs, 4)
  expect(observation.error).toBeUndefined()
  return observation
}

type Seen = Awaited<ReturnType<typeof look>>

/** A machine under load may not have let it come to rest before it was looked at: then it is looked at again. */
const rested = (
  scenario: Scenario,
  skip: (why: string) => void,
  isIt: (seen: Seen) => boolean = () => true,
): Promise<Seen> =>
  until(
    () => look(scenario, skip),
    seen => isIt(seen) && scenario.expected.some(cause => cause === seen.diagnosis?.cause),
    scenario.name,
  )

/** Another program of this machine may have an alarm set meanwhile: whose it is can't be told. */
const hasAlarmBeside = ({ diagnosis }: Seen): boolean =>
  diagnosis?.doubts.length === 1 && /interval timer/.test(diagnosis.doubts[0] ?? '')

describe.concurrent('a live tree', () => {
  test.for(stuck)('nothing will move it: $name', async (scenario, { expect, skip }) => {
    const isClosed = (seen: Seen) => seen.diagnosis?.isBlocked === true || hasAlarmBeside(seen)
    const seen = await rested(scenario, skip, isClosed)
    expect(seen.diagnosis).toMatchObject(
      hasAlarmBeside(seen) ? { isBlocked: false } : { proof: 'proven', isBlocked: true },
    )
  })

  test.for(unprivileged)(
    'what the kernel lists to root alone is in doubt: $name',
    async (scenario, { expect, skip }) => {
      const { diagnosis } = await rested(scenario, skip)
      expect(diagnosis).toMatchObject({ cause: 'stdin', proof: 'inferred', isBlocked: false })
      expect(diagnosis?.unseen?.join()).toContain('alarm')
      expect(diagnosis?.summary).not.toContain('no timer, socket or other process')
    },
  )

  test.for(legitimate)('it is only quiet: $name', async (scenario, { expect, skip }) => {
    await rested(scenario, skip, seen => {
      expect(seen.diagnosis?.isBlocked).toBe(false)
      expect(isCalledStuck(worstHealth(seen, scenario.ends))).toBe(false)
      return true
    })
  })

  test.for(hidden)('it may not be looked into: $name', async (scenario, { expect, skip }) => {
    const { diagnosis } = await look(scenario, skip)
    expect(diagnosis?.cause).toBe('unknown')
    expect(diagnosis?.isBlocked).toBe(false)
  })
})
