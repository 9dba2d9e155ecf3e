/**
 * Edits a file that other programs write as well, so that nothing of theirs is lost: the new version is swapped in, and
 * what comes out of the swap is compared with what was read. If it differs, another program was there in between: its
 * version is the new base, and the edit is made again. Whoever has the old file open may still write into it; that is
 * waited for. And a program that had read the file before us may write its version over ours: that is looked for, too.
 */

import { renameSync, rmSync } from 'node:fs'
import path from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { LullError } from '../../core/lull-error.ts'
import { attempt } from '../../os/attempt.ts'
import { putInPlace, putNew, takeAway, writeBeside } from './replace-file.ts'
import {
  makeFolderOf,
  readLast,
  readText,
  readWhole,
  type SettingsTarget,
  targetOf,
} from './settings-target.ts'

export type FileKind = {
  /** The text that should be there; undefined for no file. Called again for each version that others put there. */
  edit(text: string | undefined): string | undefined
  /** False for a text that somebody is in the middle of writing. */
  isWhole(text: string): boolean
  /** `text` with what changed from `base` to `theirs`; the latter alone where the file is ours alone. */
  merge(base: string, theirs: string, text: string): string
  /** Of a file that is made. */
  readonly mode: number
}

export type Edited = {
  readonly before: string | undefined
  readonly after: string | undefined
  /** A file that holds a version of the person's that could not be brought together with the others. */
  readonly kept?: string
}

/** What another program had made of `base` when we put `put` in its place. */
type PutAside = { readonly base: string; readonly theirs: string; put: string | undefined | null }

/** Each try is made because another program wrote in between: one that never stops is reported. */
const mostTries = 30
/** How long after our version another program's older one is expected: what a program takes from reading to writing. */
const settleMs = 20
/** The same once a version was put aside that somebody may have missed: what is lost now would be lost by us. */
const collidedMs = 250

const byteOrderMark = '\uFEFF'

/**
 * @param wait for so many ms, until other programs have written what they will
 * @throws {LullError} INSTALL_REFUSED where the file must be left as it is
 */
export async function editFile(
  file: string,
  kind: FileKind,
  wait: (ms: number) => Promise<unknown> = pause,
): Promise<Edited> {
  const aside: PutAside[] = []
  let before: string | undefined
  let kept: string | undefined
  for (let tries = 0; tries < mostTries; tries++) {
    const target = targetOf(file)
    const now = await readWhole(target.path, file, kind.isWhole)
    if (tries === 0) before = now
    const next = editText(broughtTogether(now, aside, kind), kind)
    if (next === now) return { before, after: now, ...(kept === undefined ? {} : { kept }) }

    const old = replace(target, now, next, kind.mode)
    if (old !== undefined && now !== undefined) {
      const first = await readLast(old, file)
      // Whoever was just opening it when it was put aside writes a moment later.
      if (first.text === now) await wait(settleMs)
      const { text: theirs, isFinal } = first.text === now ? await readLast(old, file) : first
      const isLegible = theirs === now || kind.isWhole(theirs)
      if (!isLegible && attempt(() => readText(target.path, file)) === next) {
        putBack(old, target.path)
        editText(theirs, kind)
        continue
      }
      if (isLegible && theirs !== now) aside.unshift({ base: now, theirs, put: next })
      if (isLegible && isFinal) rmSync(old)
      else kept = keep(old, target.path)
    }
    await wait(aside.length > 0 ? collidedMs : settleMs)
  }
  throw new LullError(
    'INSTALL_REFUSED',
    `${file} is being rewritten all the time by another program: try again when it is done`,
  )
}

/** The newest version, with what others wrote into versions that lull had put aside. The newest of those come first. */
function broughtTogether(
  now: string | undefined,
  aside: readonly PutAside[],
  kind: FileKind,
): string | undefined {
  let text = now
  for (const one of aside) {
    // Nobody has touched what we put there, so theirs is kept as it is.
    const isUntouched = text === one.put
    one.put = null
    text = isUntouched || text === undefined ? one.theirs : kind.merge(one.base, one.theirs, text)
  }
  return text
}

/** The edit alone, of a text that may begin with a byte order mark. */
export function editText(text: string | undefined, kind: Pick<FileKind, 'edit'>): string | undefined {
  if (!text?.startsWith(byteOrderMark)) return kind.edit(text)
  const next = kind.edit(text.slice(1))
  return next === undefined ? next : byteOrderMark + next
}

/** @returns the name under which the old version can be read; none where there was none, or another was quicker */
function replace(
  target: SettingsTarget,
  now: string | undefined,
  next: string | undefined,
  mode: number,
): string | undefined {
  if (next === undefined) return takeAway(target.path)
  if (now !== undefined && target.stat) {
    return putInPlace(writeBeside(target.path, next, target.stat), target.path)
  }
  makeFolderOf(target.path)
  putNew(writeBeside(target.path, next, { mode, ...ownIds() }), target.path)
  return undefined
}

const ownIds = () => ({ uid: process.getuid?.() ?? -1, gid: process.getgid?.() ?? -1 })

/** What another program left torn goes back to where it was. */
function putBack(old: string, file: string): void {
  const ours = putInPlace(old, file)
  if (ours !== undefined) rmSync(ours)
}

/** A version of the person's that may not be thrown away gets a name that can be found. */
function keep(old: string, file: string): string {
  const name = `${file}.kept-by-lull-${path.basename(old).slice(-8)}`
  renameSync(old, name)
  return name
}
