/**
 * How deep in its own code a shell reads at its prompt, measured on a fresh shell of the same file in a terminal of its
 * own. With that a shell that was never seen before can be told at its prompt from its `read -e`, which reads alike.
 * Measured once a shell and machine (bash 20 ms, fish 300 ms), and kept.
 */
import { mkdtempSync, readlinkSync, rmSync, statSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { whoDecides } from '../../../bin/own-folder.js'
import { isRecord } from '../../core/trace/trace.ts'
import { attempt } from '../../os/attempt.ts'
import { readJsonFile, writeJsonFile } from '../../os/file/json-file.ts'
import { makeOwnFolder, placesOf } from '../../os/file/places.ts'
import { readStat } from '../../os/proc/stat.ts'
import { ownChildren } from '../../os/spawn/own-children.ts'
import { ptsOf } from '../../os/tty/tty.ts'
import type { Learned, Reference } from '../classify/learned.ts'
import { readsAsAtPrompt, shellOf } from '../classify/shells.ts'
import { probeTerminal } from './probe.ts'
import { type Probe, readingOf, type TerminalProcess } from './probed.ts'

/** `unknown`: it showed no prompt, or no two prompts alike. */
type Measured = { readonly call: string; readonly depth: number } | 'unknown'

const kept = new Map<string, Promise<Measured>>()

/** Adds what is not known yet of the shell that reads. At once where there is nothing to add. */
export async function withReference(learned: Learned, probe: Probe): Promise<Learned> {
  if (probe.inner) return withReference(learned, probe.inner)
  const reader = probe.processes.findLast(readingOf)
  const reading = reader && readingOf(reader)
  const shell = reader && shellOf(reader)
  if (!reader || !reading || !shell?.isInteractive || !probe.termios || reading.depth === undefined)
    return learned
  const { canonical } = probe.termios
  if (!readsAsAtPrompt(shell.name, probe.termios, reading)) return learned
  const isKnown = learned.references.some(one => one.pid === reader.pid && one.canonical === canonical)
  if (isKnown) return learned
  const measured = await measuredOnce(reader, shell.name, canonical)
  const reference: Reference =
    measured === 'unknown'
      ? { pid: reader.pid, canonical, call: 'unknown', depth: 0 }
      : { pid: reader.pid, canonical, ...measured }
  return { ...learned, references: [...learned.references, reference].slice(-32) }
}

function measuredOnce(reader: TerminalProcess, shell: string, canonical: boolean): Promise<Measured> {
  const file = ownFile(reader.pid)
  // What another user runs is started only where nobody but root and this user could have put it there.
  if (!file || (reader.uid !== process.getuid?.() && whoDecides(file.path) !== 'own'))
    return Promise.resolve('unknown')
  const key = `${file.identity} ${shell} ${canonical ? 'lines' : 'keys'}`
  const known = kept.get(key)
  if (known) return known
  const stored = storedBefore(readJsonFile(diskFile())[key])
  const measured = stored
    ? Promise.resolve(stored)
    : measure(file.path, shell, canonical).then(found => {
        keep(key, found)
        return found
      })
  kept.set(key, measured)
  return measured
}

/** A machine under load may have been too slow: what could not be measured is tried again another day. */
const triedAgainMs = 24 * 60 * 60 * 1000

function storedBefore(entry: unknown): Measured | undefined {
  if (!isRecord(entry)) return undefined
  const { call, depth, failed } = entry
  if (typeof call === 'string' && typeof depth === 'number') return { call, depth }
  return typeof failed === 'number' && Date.now() < failed + triedAgainMs ? 'unknown' : undefined
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

/** A shell that shows no prompt within this time is not waited for. */
const longestMs = 2000
const everyMs = 4

async function measure(file: string, shell: string, canonical: boolean): Promise<Measured> {
  const { spawn } = await import('@lydell/node-pty')
  const home = mkdtempSync(path.join(os.tmpdir(), 'lull-shell-'))
  const args = [...(shell === 'bash' && canonical ? ['--noediting'] : []), ...(bare[shell] ?? ['-i'])]
  const env = { HOME: home, PATH: process.env.PATH ?? '', TERM: 'xterm', LANG: process.env.LANG ?? 'C.UTF-8' }
  const started = attempt(() => spawn(file, args, { cwd: '/', env, cols: 80, rows: 24 }))
  if (!started) return 'unknown'
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
      const now = printed > before ? readingNow(started?.pid ?? 0, shell, canonical) : 'unknown'
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
    rmSync(home, { recursive: true, force: true, maxRetries: 2 })
  }
}

function readingNow(pid: number, shell: string, canonical: boolean): Measured {
  const stat = readStat(pid)
  const tty = stat && ptsOf(stat.tty)
  if (!tty) return 'unknown'
  const { processes, termios, queued } = probeTerminal(tty, pid)
  const own = processes.find(process => process.pid === pid)
  const reading = own && readingOf(own)
  if (!reading || !termios || queued !== 0 || termios.canonical !== canonical) return 'unknown'
  if (!readsAsAtPrompt(shell, termios, reading) || reading.depth === undefined) return 'unknown'
  return { call: reading.name, depth: reading.depth }
}

const diskFile = (): string => path.join(placesOf().state, 'prompt-depths.json')

/** Shells are few; what was measured of replaced ones goes when there are too many. */
const mostOnDisk = 64

/** Two that write at once lose one measurement, which is then made again. */
function keep(key: string, measured: Measured): void {
  attempt(() => {
    makeOwnFolder(path.dirname(diskFile()))
    const entry = measured === 'unknown' ? { failed: Date.now() } : measured
    const others = Object.entries(readJsonFile(diskFile())).filter(([other]) => other !== key)
    writeJsonFile(diskFile(), Object.fromEntries([...others, [key, entry]].slice(-mostOnDisk)))
  })
}
