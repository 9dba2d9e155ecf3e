/** A temporary folder for the whole run: what a test leaves in it fails the run, and so does a program that it leaves. */
import { chmodSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { processesOf } from './processes-of.ts'

/** Programs that were told to end take some time. ms */
const endsWithin = 10_000

export default function (): (() => Promise<void>) | undefined {
  // Listing tests runs none; the folder of the test that lists them holds what the files make while they load.
  if (process.env.LULL_LISTS_TESTS) return undefined
  const folder = mkdtempSync(path.join(os.tmpdir(), 'lull-run-'))
  // Some programs run as another user.
  chmodSync(folder, 0o755)
  process.env.TMPDIR = folder
  return async () => {
    const programs = await leftPrograms(folder)
    const left = readdirSync(folder, { recursive: true })
    rmSync(folder, { recursive: true, force: true })
    if (programs.length > 0) throw new Error(`Tests left running:\n${programs.join('\n')}`)
    if (left.length > 0)
      throw new Error(`Tests left in the temporary folder:\n${left.slice(0, 100).join('\n')}`)
  }
}

/** Vitest's own workers have the folder in their environment, too. */
async function leftPrograms(folder: string): Promise<readonly string[]> {
  const end = performance.now() + endsWithin
  for (;;) {
    const left = processesOf(folder).flatMap(({ pid, command }) =>
      pid === process.pid || command.includes('vitest') ? [] : [`${pid} ${command}`],
    )
    if (left.length === 0 || performance.now() > end) return left
    await sleep(100)
  }
}
