/** A process that is stuck in a read ends all the same, with its sentence and its exit code. */
import { execFile, execFileSync } from 'node:child_process'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import { temporaryFolder } from '../support/lull.ts'

const source = fileURLToPath(new URL('../../src/os/native/exit-timer.ts', import.meta.url))
const pipe = path.join(temporaryFolder(), 'pipe')

/** Nobody ever writes into the pipe. */
const stuck: Readonly<Record<string, string>> = {
  'in a read of its own': `fs.openSync(${JSON.stringify(pipe)})`,
  'in a read of its pool': `fs.promises.open(${JSON.stringify(pipe)})`,
  'in a loop': 'for (;;);',
}

type Ended = { readonly code: number | string | null | undefined; readonly stderr: string }

function ended(script: string): Promise<Ended> {
  const whole = `import fs from 'node:fs'; import { exitAfter } from ${JSON.stringify(source)}; ${script}`
  return new Promise(resolve => {
    const options = { timeout: 20_000, killSignal: 'SIGKILL' } as const
    execFile(process.execPath, ['--input-type=module', '-e', whole], options, (error, _, stderr) =>
      resolve({ code: error ? error.code : 0, stderr }),
    )
  })
}

describe.runIf(process.platform === 'linux')('a process that is stuck', () => {
  execFileSync('/usr/bin/mkfifo', [pipe])

  test.each(Object.entries(stuck))('%s ends at its time', async (_, script) => {
    const sentence = "it's over: “so”"
    expect(await ended(`exitAfter(600, 124, ${JSON.stringify(sentence)}); ${script}`)).toEqual({
      code: 124,
      stderr: `${sentence}\n`,
    })
  })

  test('goes by what it was told last', async () => {
    const { code, stderr } = await ended(
      `exitAfter(60_000, 124, 'no'); exitAfter(300, 7); ${stuck['in a loop']}`,
    )
    expect({ code, stderr }).toEqual({ code: 7, stderr: '' })
  })

  test('ends at once where its time is over already, and says nothing else', async () => {
    expect(await ended(`exitAfter(-50, 124, 'over'); ${stuck['in a loop']}`)).toEqual({
      code: 124,
      stderr: 'over\n',
    })
  })

  test('or ends by itself before', async () => {
    expect(await ended("exitAfter(60_000, 124, 'no')")).toEqual({ code: 0, stderr: '' })
  })

  test('or while its thread loads the native library, as a short command does on a busy machine', async () => {
    const untilItLoads = "while (!fs.readFileSync('/proc/self/maps', 'utf8').includes('koffi.node'));"
    for (let i = 0; i < 8; i++)
      expect(await ended(`exitAfter(60_000, 124); ${untilItLoads}`)).toEqual({ code: 0, stderr: '' })
  })
})
