/** A box over ssh, which runs `lull host stdio` there: its stdin and stdout are the connection. */
import type { ChildProcess } from 'node:child_process'
import type { Clock } from '../core/clock.ts'
import { oneLine } from '../core/text/printable.ts'
import { bothWays } from '../os/both-ways.ts'
import { signalGroup, spawnGroup } from '../os/spawn/process-group.ts'
import { type BoxGreeting, checkGreeting, greetingReader } from './box-greeting.ts'
import type { BegunWay } from './box-link.ts'
import type { Box } from './read-hosts.ts'
import { boxGone, isOlder, type SshEnd, sshWords, whyEnded } from './ssh-words.ts'

/** Beyond the `ConnectTimeout` of ssh: Node begins slowly on a busy box. ms */
const greetingMs = 20_000
/** What ssh writes last is what went wrong. Characters. */
const mostStderr = 4000

/** @throws {LullError} HOST_GONE where ssh can't be started: this machine has no memory or files left, or its words are none */
export function overSsh(box: Box, clock: Clock): BegunWay {
  const begun = begin(box)
  const { child, stdin, stdout } = begun
  return {
    greeting: () => greetingOf(box, begun, clock),
    pipe: () => bothWays(stdout, stdin),
    onHeard: call => void stdout.on('data', call),
    ended: begun.ended.then(how => whyEnded(box, how, true)),
    end: () => end(child),
    leave: () => leave(child),
  }
}

/** A connection of ssh that others share may outlive this program: it is left to end by itself. */
function leave(child: ChildProcess): void {
  child.unref()
  for (const stream of [child.stdin, child.stdout, child.stderr]) stream?.destroy()
}

const end = ({ pid }: ChildProcess): void => {
  if (pid !== undefined) signalGroup(pid, 'SIGTERM')
}

function started(box: Box) {
  const here = (why: string) => boxGone(`${box.name}: ssh can't be started here (${oneLine(why, 200)})`)
  let child: ChildProcess
  try {
    child = spawnGroup(sshWords(box), { stdio: ['pipe', 'pipe', 'pipe'] })
  } catch (error) {
    throw here((error as Error).message)
  }
  const { stdin, stdout } = child
  if (stdin && stdout) return { child, stdin, stdout }
  // The reason comes as an event, too.
  child.on('error', () => undefined)
  throw here('too many files are open')
}

/** Starts ssh. In a group of its own: it can ask nobody at the terminal, and Ctrl+C is for lull. */
function begin(box: Box) {
  const { child, stdin, stdout } = started(box)
  let stderr = ''
  child.stderr?.setEncoding('utf8').on('data', (piece: string) => {
    stderr = (stderr + piece).slice(-mostStderr)
  })
  for (const stream of [stdin, stdout, child.stderr]) stream?.on('error', () => undefined)
  const ended = new Promise<SshEnd>(resolve => {
    child.on('error', error => resolve({ code: null, stderr, error }))
    child.on('close', code => resolve({ code, stderr }))
    // A connection that others share keeps stderr open.
    child.on('exit', code => setTimeout(() => resolve({ code, stderr }), 200).unref())
  })
  return {
    child,
    ended,
    greeted: (clock: Clock) =>
      new Promise<BoxGreeting>((resolve, reject) => {
        const reader = greetingReader()
        const late = clock.at(clock.now() + greetingMs, () =>
          stop(boxGone(`${box.name} did not answer in ${greetingMs / 1000} s: ssh, or lull there, hangs`)),
        )
        const stop = (error: Error): void => {
          late.cancel()
          stdout.off('data', take)
          reject(error)
        }
        function take(piece: Buffer): void {
          try {
            const found = reader.take(piece)
            if (!found) return
            late.cancel()
            stdout.off('data', take).pause()
            if (found.rest.length > 0) stdout.unshift(found.rest)
            resolve(found.greeting)
          } catch (error) {
            stop(boxGone(`${box.name}: ${(error as Error).message}`))
          }
        }
        stdout.on('data', take)
        void ended.then(how => stop(boxGone(whyEnded(box, how, false))))
      }),
    stdin,
    stdout,
  }
}

/** @throws {LullError} HOST_GONE where there is none, or of a lull that this one does not understand */
async function greetingOf(
  box: Box,
  { child, ended, greeted }: ReturnType<typeof begin>,
  clock: Clock,
): Promise<BoxGreeting> {
  const greeting = await greeted(clock).catch(async error => {
    end(child)
    throw await older(box, error, ended)
  })
  try {
    return checkGreeting(box.name, greeting)
  } catch (error) {
    end(child)
    throw error
  }
}

/** A lull that does not know `host stdio` is asked for its version. */
async function older(box: Box, error: unknown, ended: Promise<SshEnd>): Promise<unknown> {
  const how = await Promise.race([ended, undefined])
  if (!how || !isOlder(how.code, how.stderr)) return error
  const child = spawnGroup(sshWords(box, '--version'), { stdio: ['ignore', 'pipe', 'ignore'] })
  let printed = ''
  child.stdout?.setEncoding('utf8').on('data', (piece: string) => {
    printed = (printed + piece).slice(-mostStderr)
  })
  await new Promise(resolve => {
    child.on('error', resolve)
    child.on('close', resolve)
    setTimeout(() => end(child), greetingMs).unref()
  })
  const version = printed.trim().split('\n').at(-1) ?? ''
  return !/^\d+\.\d+\.\d[\w.-]*$/.test(version)
    ? error
    : boxGone(
        `${box.name} has lull ${oneLine(version, 40)}, which has no \`lull host stdio\`: update it there`,
      )
}
