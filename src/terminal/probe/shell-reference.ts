/**
 * How deep in its own code a shell or a REPL reads at its prompt, measured on a fresh one of the same file in a terminal of its
 * own. It separates the prompt of a program seen for the first time from its `read -e` or `input()`, which read alike.
 * Measured once a program and machine (bash 20 ms, Python 60 ms, fish 300 ms), and kept.
 *
 * Some are as deep as their command line is long: their depth alone proves nothing, so a second one is started with more
 * arguments. Of those that are known to be so, one with as many arguments as the shell has is measured.
 */
import { mkdtempSync, readlinkSync, rmSync, statSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { whoDecides } from '../../../bin/own-folder.js'
import { isRecord } from '../../core/trace/trace.ts'
import { attempt } from '../../os/attempt.ts'
import { changeJsonFile, readJsonFile } from '../../os/file/json-file.ts'
import { placesOf } from '../../os/file/places.ts'
import { readStat } from '../../os/proc/stat.ts'
import { ownChildren } from '../../os/spawn/process-group.ts'
import { ptsOf } from '../../os/tty/tty.ts'
import type { Learned, Reference } from '../classify/learned.ts'
import { replOf } from '../classify/repl/repls.ts'
import { programName, readsAsAtPrompt, shellOf } from '../classify/shells.ts'
import { probeTerminal } from './probe.ts'
import { type Probe, readingOf, type TerminalProcess, type TerminalRead, type Termios } from './probed.ts'

/** `unknown`: it showed no prompt, or no two prompts as deep. */
type Measured = { readonly call: string; readonly depth: number } | 'unknown'

const kept = new Map<string, Promise<Measured>>()
/** Those that could not be measured, and when. */
const failedAt = new Map<string, number>()

/** Adds what is not known yet of the shell or REPL that reads. At once where there is nothing to add. */
export async function withReference(learned: Learned, probe: Probe): Promise<Learned> {
  if (probe.inner) return withReference(learned, probe.inner)
  const reader = probe.processes.findLast(readingOf)
  const fresh = reader && probe.termios && freshOf(reader, probe.termios, learned.repls)
  if (!fresh) return learned
  const { canonical } = fresh
  const isKnown = learned.references.some(one => one.pid === reader.pid && one.canonical === canonical)
  if (isKnown) return learned
  const measured = await measuredOnce(reader, fresh)
  if (measured === 'unknown') return learned
  const reference: Reference = { pid: reader.pid, canonical, ...measured }
  return { ...learned, references: [...learned.references, reference].slice(-32) }
}

/** How a fresh one is started, and how it shows that it is at its prompt. */
type Fresh = {
  readonly name: string
  readonly args: readonly string[]
  /** It is measured with these arguments alone, twice: others would change how deep it reads. */
  readonly isExact?: true
  /** A shell may read both ways at its prompt, what has a line editor of its own reads keys. */
  readonly canonical: boolean
  readonly isAtPrompt: (termios: Termios, reading: TerminalRead) => boolean
}

/** Undefined where it reads a question, or is no program that may be started to see. */
function freshOf(reader: TerminalProcess, termios: Termios, repls: Learned['repls']): Fresh | undefined {
  const reading = readingOf(reader)
  if (reading?.depth === undefined) return undefined
  const shell = shellOf(reader)
  if (!shell) {
    const fresh = replOf(reader, repls)?.fresh
    const canonical = fresh?.isLines === true
    if (!fresh || termios.canonical !== canonical || reading.name !== fresh.by) return undefined
    const isAtPrompt = (now: Termios, call: TerminalRead) =>
      now.canonical === canonical && call.name === fresh.by
    return { name: programName(reader), args: fresh.args, canonical, isAtPrompt }
  }
  const { name, isInteractive } = shell
  const { canonical } = termios
  const isAtPrompt = (now: Termios, call: TerminalRead) =>
    now.canonical === canonical && readsAsAtPrompt(name, now, call)
  if (!isInteractive || !isAtPrompt(termios, reading)) return undefined
  if (deepensByArgument.has(name)) {
    const args = Array<string>(reader.args.length).fill('-i')
    return { name, args, isExact: true, canonical, isAtPrompt }
  }
  const args = [...(name === 'bash' && canonical ? ['--noediting'] : []), ...(bare[name] ?? ['-i'])]
  return { name, args, canonical, isAtPrompt }
}

function measuredOnce(reader: TerminalProcess, fresh: Fresh): Promise<Measured> {
  const file = ownFile(reader.pid)
  // What another user runs is started only where nobody but root and this user could have put it there.
  if (!file || (reader.uid !== process.getuid?.() && whoDecides(file.path) !== 'own'))
    return Promise.resolve('unknown')
  const count = fresh.isExact ? ` ${fresh.args.length}` : ''
  const key = `${file.identity} ${fresh.name} ${fresh.canonical ? 'lines' : 'keys'}${count}`
  const known = kept.get(key)
  if (known && !isTriedAgain(failedAt.get(key))) return known
  failedAt.delete(key)
  const stored = storedBefore(readJsonFile(diskFile())[key])
  const measured = stored
    ? Promise.resolve(stored)
    : measureTwo(file.path, fresh).then(
        found => {
          void keep(key, found)
          return found
        },
        // No open file, or no room for a home: nothing was measured, and nothing is stored.
        () => 'unknown' as const,
      )
  kept.set(key, measured)
  void measured.then(found => found === 'unknown' && failedAt.set(key, Date.now()))
  return measured
}

/** A machine under load may have been too slow: what could not be measured is tried again after some minutes. */
const triedAgainMs = 5 * 60 * 1000
const isTriedAgain = (failed = Infinity): boolean => Date.now() >= failed + triedAgainMs

function storedBefore(entry: unknown): Measured | undefined {
  if (!isRecord(entry)) return undefined
  const { call, depth, failed } = entry
  if (typeof call === 'string' && typeof depth === 'number') return { call, depth }
  return typeof failed === 'number' && !isTriedAgain(failed) ? 'unknown' : undefined
}

/** The file that a process runs, where this process sees it, too: a container has files of its own. */
function ownFile(pid: number): { readonly path: string; readonly identity: string } | undefined {
  return attempt(() => {
    const link = `/proc/${pid}/exe`
    const [running, file] = [statSync(link), readlinkSync(link)]
    const seen = statSync(file)
    const isSame = seen.dev === running.dev && seen.ino === running.ino
    return isSame ? { path: file, identity: `${seen.dev}:${seen.ino}:${seen.mtimeMs}` } : undefined
  })
}

/** No start-up files: they could ask something, or take long. */
const bare: Readonly<Record<string, readonly string[]>> = {
  bash: ['--norc', '--noprofile', '-i'],
  zsh: ['-f', '-i'],
  fish: ['--no-config', '--private', '-i'],
  ash: ['ash', '-i'],
}

/** yash 2.52 and 2.54 read 8 bytes deeper for each argument, rounded up to 16, however long it is. */
const deepensByArgument: ReadonlySet<string> = new Set(['yash'])

/** A shell that shows no prompt within this time is not waited for. */
const longestMs = 2000
const everyMs = 4

async function measureTwo(file: string, fresh: Fresh): Promise<Measured> {
  const option = fresh.args.findLast(argument => argument.startsWith('-'))
  const isLonger = option !== undefined && !fresh.isExact
  const more = { ...fresh, args: [...fresh.args, ...(isLonger ? Array<string>(4).fill(option) : [])] }
  const [one, two] = await Promise.all([measure(file, fresh), measure(file, more)])
  return one !== 'unknown' && two !== 'unknown' && one.depth === two.depth ? one : 'unknown'
}

async function measure(file: string, fresh: Fresh): Promise<Measured> {
  const { spawn } = await import('@lydell/node-pty')
  const home = mkdtempSync(path.join(os.tmpdir(), 'lull-shell-'))
  const env = { HOME: home, PATH: process.env.PATH ?? '', TERM: 'xterm', LANG: process.env.LANG ?? 'C.UTF-8' }
  const removeHome = () => rmSync(home, { recursive: true, force: true, maxRetries: 2 })
  const started = attempt(() => spawn(file, [...fresh.args], { cwd: '/', env, cols: 80, rows: 24 }))
  if (!started) {
    removeHome()
    return 'unknown'
  }
  // Who is done does not wait for what is measured.
  process.once('exit', removeHome)
  ownChildren.add(started.pid)
  let printed = 0
  started.onData(text => {
    printed++
    // fish 4 asks what terminal it has, and waits for the answer.
    if (text.includes('\u001b[c') || text.includes('\u001b[0c')) started.write('\u001b[?62c')
  })
  const hasEnded = new Promise<void>(resolve => started.onExit(() => resolve()))
  void hasEnded.then(() => ownChildren.delete(started.pid))
  const deadline = performance.now() + longestMs

  /** How it reads once it has printed something after `before`, in two probes one after the other. */
  async function prompt(before: number): Promise<Measured> {
    let last: Measured = 'unknown'
    while (performance.now() < deadline) {
      await pause(everyMs)
      const now = printed > before ? readingNow(started?.pid ?? 0, fresh) : 'unknown'
      if (now !== 'unknown' && last !== 'unknown' && now.depth === last.depth) return now
      last = now
    }
    return 'unknown'
  }

  try {
    const first = await prompt(0)
    if (first === 'unknown') return first
    // At the first prompt some shells are not yet settled; the one after an empty line counts.
    const before = printed
    started.write('\r')
    const second = await prompt(before)
    return second !== 'unknown' && second.depth === first.depth ? second : 'unknown'
  } finally {
    attempt(() => started.kill('SIGKILL'))
    await Promise.race([hasEnded, pause(500)])
    process.removeListener('exit', removeHome)
    removeHome()
  }
}

function readingNow(pid: number, { isAtPrompt }: Fresh): Measured {
  const stat = readStat(pid)
  const tty = stat && ptsOf(stat.tty)
  if (!tty) return 'unknown'
  const { processes, termios, queued } = probeTerminal(tty, pid)
  const own = processes.find(process => process.pid === pid)
  const reading = own && readingOf(own)
  if (!reading || !termios || queued !== 0 || reading.depth === undefined) return 'unknown'
  return isAtPrompt(termios, reading) ? { call: reading.name, depth: reading.depth } : 'unknown'
}

const diskFile = (): string => path.join(placesOf().state, 'prompt-depths.json')

/** Shells are few; what was measured of replaced ones goes when there are too many. */
const mostOnDisk = 64

/** Where it can't be kept, it is measured again the next time. */
async function keep(key: string, measured: Measured): Promise<void> {
  const entry = measured === 'unknown' ? { failed: Date.now() } : measured
  const withIt = (before: Readonly<Record<string, unknown>>) => {
    const others = Object.entries(before).filter(([other]) => other !== key)
    return Object.fromEntries([...others, [key, entry]].slice(-mostOnDisk))
  }
  await changeJsonFile(diskFile(), withIt).catch(() => undefined)
}
