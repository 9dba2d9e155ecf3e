/** The log of one iteration, written as it happens, so that a forced stop leaves a log of all that came before it. */

import { closeSync, writeSync } from 'node:fs'
import path from 'node:path'
import { makeFolder } from '../../bin/make-folder.js'
import { createAsyncQueue } from '../core/async-queue.ts'
import { isLullError, LullError } from '../core/lull-error.ts'
import { whyNot } from '../core/system-refusal.ts'
import { attempt } from '../os/attempt.ts'
import { openOutput } from '../os/file/open-output.ts'
import type { Happening, LoopEvent } from './loop-events.ts'

/** So many events wait at the most before lines of output are left out. */
const longestQueue = 10_000

/**
 * @param wall ms since the epoch
 * @param left called when the reader leaves before the end
 */
export function createChannel(wall: () => number, left: () => void) {
  const queue = createAsyncQueue<LoopEvent>(Infinity, left)
  let missing = 0

  const push = (event: Happening): void => queue.push({ ...event, time: wall() })
  const pushMissing = (): void => {
    if (missing === 0) return
    const message = `${missing} lines of output came too fast and are not shown; a log (-l) has them`
    missing = 0
    push({ type: 'LOG_MESSAGE', level: 'warning', message })
  }
  const isOutput = ({ type }: Happening): boolean => type === 'AGENT_OUTPUT_LINE' || type === 'AGENT_ACTIVITY'

  return {
    put(event: Happening): void {
      if (!isOutput(event)) pushMissing()
      if (isOutput(event) && queue.size >= longestQueue) missing++
      else push(event)
    },
    end(): void {
      pushMissing()
      queue.end()
    },
    events: queue.values,
  }
}

export type IterationLog = { write(text: string): void; close(): void }

/**
 * Makes the folder for logs.
 * @throws {LullError} BAD_RALPH where it can't be
 */
export function makeLogFolder(folder: string): void {
  try {
    makeFolder(folder)
  } catch (error) {
    throw new LullError('BAD_RALPH', `--log-dir ${folder}: can't be made: ${whyNot(error)}`)
  }
}

/**
 * Opens `001_20261122-020700.log`.
 * @param wall ms since the epoch
 * @param onFailure called once, where the disk is full or the folder is gone; the loop goes on
 */
export function openLog(
  folder: string,
  iteration: number,
  wall: number,
  onFailure: (reason: string) => void,
): IterationLog {
  const stamp = new Date(wall)
    .toISOString()
    .slice(0, 19)
    .replace('T', '-')
    .replaceAll(/-(?=\d\d-)|:/g, '')
  const file = path.join(folder, `${String(iteration).padStart(3, '0')}_${stamp}.log`)
  let fd: number | undefined
  const giveUp = (error: unknown): void => {
    close()
    onFailure(isLullError(error) ? error.message : `${file} can't be written: ${whyNot(error)}`)
  }
  const close = (): void => {
    const open = fd
    fd = undefined
    if (open !== undefined) attempt(() => closeSync(open))
  }
  try {
    fd = openOutput(file, 'a', file, '')
  } catch (error) {
    giveUp(error)
  }
  return {
    write(text) {
      if (fd === undefined) return
      try {
        writeSync(fd, text)
      } catch (error) {
        giveUp(error)
      }
    },
    close,
  }
}
