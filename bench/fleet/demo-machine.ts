/**
 * A machine of the fleet's demo: a home of its own, a host that joins the fleet, and an agent at a prompt. It runs the commands of
 * lull that come over IPC, and puts all in order once nobody can give it any more.
 */

import path from 'node:path'
import type { LabCli } from '../../scripts/setup-lab.ts'
import { startModel } from '../lab/model.ts'
import { newPlace } from '../lab/place.ts'
import { openAgent } from '../lab/run.ts'
import { type Ended, run } from '../live/processes.ts'

export type MachineOptions = {
  readonly name: string
  readonly url: string
  readonly creds: string
  /** None: it only looks at the others. */
  readonly agent?: { readonly cli: LabCli; readonly hooks: boolean; readonly prompt: string }
}

/** To the first order, which nobody gives: it is ready. */
export type MachineReply = Pick<Ended, 'code' | 'stdout' | 'stderr'>

const { name, url, creds, agent } = JSON.parse(process.argv[2] ?? '') as MachineOptions
const place = newPlace()
const env = {
  PATH: process.env.PATH,
  HOME: place.home,
  TMPDIR: place.temp,
  LULL_RUNTIME_DIR: path.join(place.home, 'run'),
  XDG_STATE_HOME: path.join(place.home, 'state'),
  XDG_DATA_HOME: path.join(place.home, 'data'),
  // A desktop is what a browser is opened on; nothing else of who runs it comes in.
  DISPLAY: process.env.DISPLAY,
  WAYLAND_DISPLAY: process.env.WAYLAND_DISPLAY,
}

async function must(...words: readonly string[]): Promise<void> {
  const { code, stdout, stderr } = await run(words, env)
  if (code !== 0) throw new Error(`lull ${words.join(' ')}: ${stdout}${stderr}`)
}

async function play({ cli, hooks, prompt }: NonNullable<MachineOptions['agent']>): Promise<void> {
  const opened = await openAgent(cli, {
    model: await startModel(),
    place,
    trustsHooks: true,
    // Its terminal's socket lies in this folder, too.
    env: { TMUX_TMPDIR: place.temp },
    before: async (_, __, { command }) => {
      if (hooks) await must('hooks', 'install', cli, '--cli', command[0] as string)
    },
  })
  await opened.begin(prompt)
}

process.once('disconnect', () => process.exit())
await must('fleet', 'join', url, '--creds', creds, ...(agent ? ['--name', name] : ['--view']))
if (agent) await play(agent)
const reply = ({ code, stdout, stderr }: MachineReply) => process.send?.({ code, stdout, stderr })
process.on('message', async (words: readonly string[]) => reply(await run(words, env)))
reply({ code: 0, stdout: '', stderr: '' })
