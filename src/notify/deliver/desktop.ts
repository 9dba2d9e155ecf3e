/** On the desktop: `notify-send` (libnotify), `osascript` on macOS. */

import { existsSync } from 'node:fs'
import { escapedMarkup } from '../../core/text/markup.ts'
import { oneLine } from '../../core/text/printable.ts'
import { reasonOf } from '../../loop/ralph/prompt-commands.ts'
import { probeVariable } from '../../os/proc/command-line.ts'
import { keepEnd } from '../../os/spawn/bounded-text.ts'
import { captureGroup } from '../../os/spawn/captured-group.ts'
import type { Outgoing } from '../step/compose-step.ts'
import { type Delivery, patienceMs } from './delivery.ts'
export type ProgramEnd = { readonly stdout: string } | { readonly why: string; readonly stderr: string }

type How = {
  readonly env: NodeJS.ProcessEnv
  readonly stdin?: string
  readonly signal?: AbortSignal | undefined
}

/** Of what it prints. */
const mostOutput = 1000

export function runProgram(words: readonly string[], { env, stdin, signal }: How): Promise<ProgramEnd> {
  return new Promise(resolve => {
    const [stdout, stderr] = [keepEnd(mostOutput), keepEnd(mostOutput)]
    let isLate = false
    const end = (): void => {
      isLate = true
      group.end('hard')
    }
    const group = captureGroup({
      words,
      cwd: '/',
      // An agent that it starts is nobody's session.
      env: { ...env, [probeVariable]: '1' },
      ...(stdin === undefined ? {} : { stdin }),
      stdout: stdout.take,
      stderr: stderr.take,
      ended({ code, signal: by, notStarted }) {
        clearTimeout(timer)
        signal?.removeEventListener('abort', end)
        if (code === 0 && !isLate) return resolve({ stdout: stdout.text() })
        const name = oneLine(words[0] ?? '', 100)
        const reason = oneLine(stderr.text().trim().split('\n').at(-1) ?? '', 200)
        const why = notStarted
          ? `${name}: ${oneLine(reasonOf(notStarted), 200)}`
          : isLate
            ? `${name} did not end within ${patienceMs / 1000} s`
            : `${name} ended by ${by ?? `exit code ${code}`}${reason && `: ${reason}`}`
        resolve({ why, stderr: stderr.text() })
      },
    })
    const timer = setTimeout(end, patienceMs)
    signal?.addEventListener('abort', end)
  })
}

type Around = {
  readonly env: NodeJS.ProcessEnv
  readonly platform: NodeJS.Platform
  readonly signal?: AbortSignal | undefined
}

export const desktopProgram = (platform: NodeJS.Platform): string =>
  platform === 'darwin' ? 'osascript' : 'notify-send'

/** @param ref by which `notify-send` knows the first one */
export async function notifyDesktop(message: Outgoing, around: Around, ref?: string): Promise<Delivery> {
  const env = withBus(around.env)
  if (around.platform === 'darwin')
    return message.withdrawn
      ? { is: 'nothing' }
      : deliveryOf(await runProgram(appleScript(message), { ...around, env }))
  if (message.withdrawn && ref === undefined) return { is: 'nothing' }
  const first = await runProgram(notifySend(message, ['--print-id', ...replacing(ref)]), { ...around, env })
  // Before libnotify 0.8 there was neither.
  if ('why' in first && /unknown option/i.test(first.stderr))
    return deliveryOf(await runProgram(notifySend(message, []), { ...around, env }))
  return deliveryOf(first)
}

function deliveryOf(end: ProgramEnd): Delivery {
  if ('why' in end) return { is: 'failed', why: end.why }
  const id = end.stdout.trim()
  return /^\d{1,10}$/.test(id) ? { is: 'done', ref: id } : { is: 'done' }
}

const replacing = (ref: string | undefined): readonly string[] =>
  ref === undefined ? [] : [`--replace-id=${ref}`]

/** What is over takes the place of the first for a moment, and goes. ms */
const goneMs = 1000

const notifySend = (
  { title, text, urgent, withdrawn }: Outgoing,
  more: readonly string[],
): readonly string[] => [
  'notify-send',
  '--app-name=lull',
  `--urgency=${withdrawn ? 'low' : urgent ? 'critical' : 'normal'}`,
  ...(withdrawn ? [`--expire-time=${goneMs}`] : []),
  ...more,
  '--',
  title,
  // It is markup (specifications.freedesktop.org/notification-spec).
  withdrawn ? '' : escapedMarkup(text),
]

/** The texts are arguments: nothing of them is a part of the script. */
const appleScript = ({ title, text }: Outgoing): readonly string[] => [
  'osascript',
  ...['-e', 'on run argv'],
  ...['-e', 'display notification (item 2 of argv) with title (item 1 of argv)'],
  ...['-e', 'end run'],
  title,
  text,
]

/** A host that was started outside of the desktop's session finds its bus where systemd puts it. */
function withBus(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const bus = `${env.XDG_RUNTIME_DIR ?? `/run/user/${process.getuid?.() ?? 0}`}/bus`
  return env.DBUS_SESSION_BUS_ADDRESS || !existsSync(bus)
    ? env
    : { ...env, DBUS_SESSION_BUS_ADDRESS: `unix:path=${bus}` }
}
