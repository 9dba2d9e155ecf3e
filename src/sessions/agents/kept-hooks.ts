/**
 * Keeps the hooks of running sessions for the next host, because no file of the agent has them. Each session has one file;
 * hooks that arrive together are appended in one write.
 */
import { appendFileSync, readdirSync, renameSync, rmSync, statSync } from 'node:fs'
import path from 'node:path'
import { defined } from '../../core/defined.ts'
import { sentenceFor } from '../../core/error-sentence.ts'
import type { Instant } from '../../core/state.ts'
import { isRecord, parseJson } from '../../core/trace/trace.ts'
import { boundedJson } from '../../history/bounded-data.ts'
import type { JsonValue } from '../../history/entry.ts'
import { attempt } from '../../os/attempt.ts'
import { hasCode } from '../../os/error-code.ts'
import { hasOwnFolder, makeOwnFolder } from '../../os/file/places.ts'
import { readPlainText } from '../../os/file/plain-file.ts'
import { isTranscriptOf } from '../discover/agent-file-search.ts'
import type { FoundAgent, PastHook } from './agents-state.ts'

/** So many are judged again: each costs a host as much as one that comes. */
const mostHooks = 1000

/**
 * The newest hooks of a file's text.
 * @throws if a line is not a hook: with one missing, the others may describe a turn that is over
 */
function readPastHooks(text: string, now: Instant): readonly PastHook[] {
  const lines = text.split('\n').filter(line => line !== '')
  const all = lines.map(readPastHook)
  for (const [index, { at }] of all.entries())
    if (at < (all[index - 1]?.at ?? 0) || at > now) throw new Error(`line ${index + 1} is of another time`)
  return all.slice(-mostHooks)
}

function readPastHook(line: string, index: number): PastHook {
  const row = parseJson(line)
  if (!isRecord(row) || typeof row.at !== 'number' || typeof row.event !== 'string')
    throw new Error(`line ${index + 1} is no hook`)
  const { at, event, payload } = row
  const text = (value: unknown) => (typeof value === 'string' ? value : undefined)
  const [via, transcript, session] = [row.via, row.transcript, row.session].map(text)
  return { at, event, payload, ...defined({ via, transcript, session }) }
}

export type KeptHooks = {
  /** The hooks that an earlier host received from an agent, oldest first. */
  of(found: FoundAgent, now: Instant): readonly PastHook[]
  keep(id: string, hook: PastHook): void
  /** Writes what waits to be written. */
  flush(): void
  drop(id: string): void
  /** Drops what is kept of all others. */
  dropOthers(ids: ReadonlySet<string>): void
}

/** Of a session two files of this size at the most are kept: thousands of hooks, or the eight longest that are kept whole. */
const mostBytes = 512 * 1024
/** What follows another within it is written with what follows: so much of a flood is lost where a host is killed. ms */
const flushMs = 50
/** More than this does not wait. */
const mostWaiting = 32 * 1024

/** @param complain called with what could not be kept, or read */
export function keepHooks(stateFolder: string, complain: (sentence: string) => void): KeptHooks {
  const folder = path.join(stateFolder, 'hooks')
  const files = hookFiles(folder)
  /** Of each session, the lines that are not written yet. */
  const waiting = new Map<string, string>()
  let timer: NodeJS.Timeout | undefined

  function drop(id: string): void {
    waiting.delete(id)
    files.remove(id)
  }

  function append(id: string, lines: string): void {
    try {
      files.append(id, lines)
    } catch (error) {
      // With one hook missing, the others would describe a turn that ended long ago.
      drop(id)
      complain(`the hooks of ${id} are not kept: ${sentenceFor(error) ?? (error as Error).message}`)
    }
  }

  function flush(): void {
    const all = [...waiting]
    waiting.clear()
    for (const [id, lines] of all) append(id, lines)
  }

  return {
    of({ id, process, surroundings }, now) {
      flush()
      try {
        if (!hasOwnFolder(folder)) return []
        const hooks = readPastHooks(files.read(id), now)
        const named = hooks.at(-1)?.transcript
        if (named !== undefined && !isTranscriptOf(process.agent, named, surroundings))
          throw new Error(`${named} is no transcript of ${process.agent.name}`)
        return hooks
      } catch (error) {
        complain(
          `hooks that an earlier host kept are passed over: ${files.newest(id)}: ${(error as Error).message}`,
        )
        drop(id)
        return []
      }
    },
    keep(id, { at, event, via, transcript, session, payload }) {
      const head = JSON.stringify({ at, event, ...defined({ via, transcript, session }) })
      const line = `${head.slice(0, -1)},"payload":${boundedJson(payload as JsonValue)}}\n`
      const all = (waiting.get(id) ?? '') + line
      waiting.set(id, all)
      if (!timer || all.length > mostWaiting) flush()
      timer ??= setTimeout(() => {
        timer = undefined
        flush()
      }, flushMs)
    },
    flush,
    drop,
    dropOthers(ids) {
      for (const name of attempt(() => readdirSync(folder)) ?? []) {
        const [id = ''] = name.split('.')
        if (name.endsWith('.jsonl') && !ids.has(id)) drop(id)
      }
    },
  }
}

/** Two files a session, of which the older is given up once the newer is full. */
function hookFiles(folder: string) {
  const newest = (id: string) => path.join(folder, `${id}.jsonl`)
  const older = (id: string) => path.join(folder, `${id}.older.jsonl`)
  const bytes = new Map<string, number>()

  function sizeOf(id: string): number {
    const known = bytes.get(id)
    if (known !== undefined) return known
    makeOwnFolder(folder)
    return attempt(() => statSync(newest(id)).size) ?? 0
  }

  function readOne(file: string): string {
    try {
      return readPlainText(file, { most: 2 * mostBytes, isOwn: true })
    } catch (error) {
      if (hasCode(error, 'ENOENT')) return ''
      throw error
    }
  }

  return {
    newest,
    read: (id: string): string => readOne(older(id)) + readOne(newest(id)),
    append(id: string, lines: string): void {
      const size = sizeOf(id)
      if (size > mostBytes) renameSync(newest(id), older(id))
      appendFileSync(newest(id), lines, { mode: 0o600 })
      bytes.set(id, (size > mostBytes ? 0 : size) + Buffer.byteLength(lines))
    },
    remove(id: string): void {
      bytes.delete(id)
      for (const file of [newest(id), older(id)]) attempt(() => rmSync(file, { force: true }))
    },
  }
}
