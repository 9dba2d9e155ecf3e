/** `npm run fleet:demo -- --once`: real agents on three machines of a fleet, all shown, and nothing of it left behind. */
import { execFile } from 'node:child_process'
import { readdirSync } from 'node:fs'
import path from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { natsServers } from '../../scripts/nats-servers.ts'
import { isInLab } from '../../scripts/setup-lab.ts'
import { temporaryFolder } from '../support/lull.ts'
import { processesOf } from '../support/processes-of.ts'

const demo = path.resolve(import.meta.dirname, '../../bench/fleet-demo.ts')
const isPlayed =
  process.platform === 'linux' &&
  natsServers().length > 0 &&
  (['claude', 'codex', 'opencode'] as const).every(isInLab)

test.runIf(isPlayed)(
  `the demo of a fleet shows the agents of three machines, and leaves nothing${isPlayed ? '' : ' (skipped: the lab or a nats-server is missing)'}`,
  async () => {
    const folder = temporaryFolder()
    const env = { ...process.env, TMPDIR: folder }
    const { stdout } = await promisify(execFile)(process.execPath, [demo, '--once'], { env })
    const rows = stdout.split('\n')
    expect(rows.find(row => row.includes('@red'))).toMatch(/waiting\/permission .*claude/)
    expect(rows.find(row => row.includes('@blue'))).toMatch(/working.* codex/)
    expect(rows.find(row => row.includes('@green'))).toMatch(/done .*opencode/)
    expect(readdirSync(folder)).toEqual([])
    expect(processesOf(folder)).toEqual([])
  },
)
