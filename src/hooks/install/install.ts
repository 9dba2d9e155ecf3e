/** Installs and uninstalls an agent's hooks, or reports what that would change. */

import { chmodSync, statSync } from 'node:fs'
import path from 'node:path'
import { applyEdits, type JSONPath, modify, parse } from 'jsonc-parser'
import type { HookedAgent } from '../../agents/kit/agent.ts'
import { isLullError, LullError } from '../../core/lull-error.ts'
import { isRecord } from '../../core/trace/trace.ts'
import { attempt } from '../../os/attempt.ts'
import { waitForLock } from '../../os/file/lock.ts'
import { checkRuntime, hasOwnFolder, makeOwnFolder, makeRuntime } from '../../os/file/places.ts'
import type { CliProgram } from './cli-program.ts'
import {
  desiredEvents,
  desiredFiles,
  desiredForwarder,
  type LeftOut,
  type OwnFile,
  ownFileInstalled,
  ownFileRemoved,
} from './desired.ts'
import { editFile, editText, type FileKind } from './edit-file.ts'
import { removeEmptyFolders } from './empty-folders.ts'
import { checkPlain, isSame, styleOf, treeOf } from './json-text.ts'
import { withEntries, withoutEntries } from './settings-entries.ts'
import type { InstallPlace, Scope } from './settings-path.ts'
import { readWhole, targetOf } from './settings-target.ts'

export type FileChange = {
  readonly file: string
  /** None where there was no file. */
  readonly before: string | undefined
  /** None where the file went. */
  readonly after: string | undefined
  /** A version of the person's that could not be brought together with the others, under this name. */
  readonly kept?: string
}

export type Installation = {
  /** The events with hooks in place now. */
  readonly events: readonly string[]
  readonly leftOut: readonly LeftOut[]
  /** Files that changed, or would. */
  readonly changes: readonly FileChange[]
}

export type Request = {
  readonly agent: HookedAgent
  readonly scope: Scope
  readonly where: InstallPlace
  /** The installed CLI, as far as it is known. */
  readonly program?: CliProgram | undefined
  /** Tell what would change, and change nothing. */
  readonly isDry: boolean
}

export type Job = { readonly file: string; readonly kind: FileKind }

/** How long another lull may take with its installation. */
const patienceMs = 10_000

/**
 * Puts hooks in place for each event that the installed version knows.
 * @throws {LullError} INSTALL_REFUSED where a file must be left as it is; those before it may have been changed already;
 *   BAD_PLACE where the forwarder's folder is, or could become, another user's
 */
export async function installHooks(request: Request): Promise<Installation> {
  const { agent, scope, where, program } = request
  const { events, leftOut } = desiredEvents(agent.hooks, program)
  const wanted = desiredFiles(agent, events, scope, where)
  // The forwarder comes first, so that no hook runs into nothing. Modules do without.
  const isForwarded = agent.hooks.format.kind !== 'module'
  const forwarder = isForwarded ? [ownJob(desiredForwarder(where.places))] : []
  // Agents run what lies there.
  if (isForwarded) (request.isDry ? hasOwnFolder : makeOwnFolder)(where.places.data)
  if (wanted.kind === 'entries') {
    const { file, entries } = wanted
    const { format } = agent.hooks
    const isPlain = format.kind === 'entries' && format.isPlainJson === true
    const edit = (text: string | undefined) => {
      if (isPlain && text !== undefined) checkPlain(text.replace(/^\uFEFF/, ''), file)
      return withEntries(text, file, entries)
    }
    const job = { file, kind: settings(file, edit) }
    return { events, leftOut, changes: await carryOut([...forwarder, job], request) }
  }
  // The one file of a module is wanted whoever has its name; what stands beside it is a help.
  const mayLack = agent.hooks.format.kind === 'programs' ? wanted.files : wanted.files.slice(1)
  const taken = await takenByOthers(mayLack)
  const free = wanted.files.filter(file => !taken.includes(file))
  return {
    events: free.flatMap(file => file.events),
    leftOut: [
      ...leftOut,
      ...taken.flatMap(({ file, events }) =>
        events.map(event => ({ event, why: `${file} is a hook of your own` })),
      ),
    ],
    changes: await carryOut([...forwarder, ...free.map(ownJob)], request),
  }
}

/**
 * Takes our hooks out, whichever version installed them, and the folders that are empty without them. The forwarder stays: other
 * agents may call it (after-uninstall.ts).
 * @throws {LullError} INSTALL_REFUSED where a file must be left as it is
 */
export async function uninstallHooks(request: Request): Promise<Installation> {
  const { agent, scope, where } = request
  const all = agent.hooks.events.map(({ name }) => name)
  const wanted = desiredFiles(agent, all, scope, where)
  const jobs =
    wanted.kind === 'entries'
      ? [entriesRemoved(wanted.file)]
      : wanted.files.map(file => ({ file: file.file, kind: ownFileRemoved(file) }))
  const changes = await carryOut(jobs, request)
  if (!request.isDry)
    for (const { file, after } of changes) if (after === undefined) removeEmptyFolders(file, where)
  return { events: [], leftOut: [], changes }
}

const entriesRemoved = (file: string): Job => ({
  file,
  kind: settings(file, text => text && withoutEntries(text, file)),
})

const ownJob = (file: OwnFile): Job => ({ file: file.file, kind: ownFileInstalled(file) })

/** A settings file of a person's, in JSON that may hold comments. @param edit its text with what is wanted in place */
export function settings(file: string, edit: FileKind['edit']): FileKind {
  return {
    edit,
    mode: 0o600,
    merge: (base, theirs, text) => mergeEdit(base, theirs, text, file),
    isWhole: text => {
      try {
        treeOf(text.replace(/^\uFEFF/, ''), file)
        return true
      } catch {
        return false
      }
    },
  }
}

async function takenByOthers(files: readonly OwnFile[]): Promise<OwnFile[]> {
  const taken: OwnFile[] = []
  for (const one of files) {
    const text = await readWhole(one.file, one.file, () => true)
    if (text !== undefined && !one.isOurs(text)) taken.push(one)
  }
  return taken
}

/** One after the other, under the lock of all installations. @throws {LullError} INSTALL_REFUSED, BAD_PLACE */
export async function carryOut(
  jobs: readonly Job[],
  { where, isDry }: Pick<Request, 'where' | 'isDry'>,
): Promise<FileChange[]> {
  checkRuntime(where.places)
  if (isDry) return changesOf(await Promise.all(jobs.map(rehearse)))
  makeRuntime(where.places)
  const lock = await waitForLock(path.join(where.places.runtime, 'install.lock'), patienceMs).catch(error => {
    if (!isLullError(error, 'LOCKED')) throw error
    throw new LullError(
      'INSTALL_REFUSED',
      `another lull (process ${error.facts.pid}) is installing hooks: try again when it is done`,
    )
  })
  try {
    const done: FileChange[] = []
    for (const { file, kind } of jobs) {
      done.push({ file, ...(await editFile(file, kind)) })
      if ((kind.mode & 0o100) !== 0) attempt(() => makeRunnable(file))
    }
    return changesOf(done)
  } finally {
    lock.release()
  }
}

function makeRunnable(file: string): void {
  const { mode } = statSync(file)
  if ((mode & 0o100) === 0) chmodSync(file, (mode & 0o777) | 0o100)
}

async function rehearse({ file, kind }: Job): Promise<FileChange> {
  const before = await readWhole(targetOf(file).path, file, kind.isWhole)
  return { file, before, after: editText(before, kind) }
}

const changesOf = (changes: readonly FileChange[]): FileChange[] =>
  changes.filter(({ before, after, kept }) => before !== after || kept !== undefined)

type Change =
  | { readonly at: JSONPath; readonly kind: 'set'; readonly from: unknown; readonly to: unknown }
  | { readonly at: JSONPath; readonly kind: 'added' | 'dropped'; readonly item: unknown }

/** What changed from one value to the other: members by name, elements by their value. */
function changes(from: unknown, to: unknown, at: JSONPath): Change[] {
  if (isSame(from, to)) return []
  if (Array.isArray(from) && Array.isArray(to)) {
    const isMissingFrom = (list: readonly unknown[]) => (item: unknown) =>
      !list.some(other => isSame(item, other))
    return [
      ...from.filter(isMissingFrom(to)).map(item => ({ at, kind: 'dropped' as const, item })),
      ...to.filter(isMissingFrom(from)).map(item => ({ at, kind: 'added' as const, item })),
    ]
  }
  if (!isRecord(from) || !isRecord(to) || Array.isArray(from) || Array.isArray(to)) {
    return [{ at, kind: 'set', from, to }]
  }
  const names = new Set([...Object.keys(from), ...Object.keys(to)])
  return [...names].flatMap(name => {
    const [was, is] = [own(from, name), own(to, name)]
    return changes(was, is, [...at, name])
  })
}

const own = (record: Record<string, unknown>, name: string): unknown =>
  Object.hasOwn(record, name) ? record[name] : undefined

function valueAt(value: unknown, at: JSONPath): unknown {
  let found = value
  for (const name of at) found = isRecord(found) ? own(found, String(name)) : undefined
  return found
}

/**
 * `text` with the changes that lead from `base` to `theirs`. Where `text` changed the same value itself, it is the
 * newer, and stays.
 * @throws {LullError} INSTALL_REFUSED where one of the texts is malformed
 */
export function mergeEdit(base: string, theirs: string, text: string, file: string): string {
  for (const each of [base, theirs]) treeOf(each, file)
  let result = text
  for (const change of changes(parse(base), parse(theirs), [])) result = applyChange(change, result, file)
  return result
}

function applyChange(change: Change, text: string, file: string): string {
  const { eol, indent } = styleOf(text, treeOf(text, file))
  const formattingOptions = { eol, insertSpaces: indent[0] !== '\t', tabSize: indent.length }
  // If a name occurs twice, the library may edit another value than the one that was read.
  const edit = (at: JSONPath, value: unknown, isArrayInsertion = false) =>
    attempt(() => applyEdits(text, modify(text, at, value, { formattingOptions, isArrayInsertion }))) ?? text
  const now = valueAt(parse(text), change.at)
  switch (change.kind) {
    case 'set':
      return isSame(now, change.from) ? edit(change.at, change.to) : text
    case 'added':
      if (!Array.isArray(now) || now.some(item => isSame(item, change.item))) return text
      return edit([...change.at, now.length], change.item, true)
    case 'dropped': {
      const index = Array.isArray(now) ? now.findIndex(item => isSame(item, change.item)) : -1
      return index < 0 ? text : edit([...change.at, index], undefined)
    }
  }
}
