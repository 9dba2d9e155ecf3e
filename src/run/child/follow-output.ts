/** Follows what a command writes into a file that it inherited: from where the file ends now, its newest part. */
import { closeSync, fstatSync, openSync, readSync } from 'node:fs'
import { attempt } from '../../os/attempt.ts'
import { withoutOwnLines } from '../line-writer.ts'
import { isFileOutput, type Out, type Outputs } from './outputs.ts'

export type GrowingFile = {
  readonly out: Out
  /** Calls back with what came since the last time, piece by piece; of much, where not all is wanted, the end. */
  read(onOutput: (piece: Buffer) => void): void
}

const pieceBytes = 64 * 1024
/** So much at once, where all is wanted: what is left comes the next time. */
const mostBytes = 16 * 1024 * 1024

/** @param isWhole every byte is wanted */
export function followFiles(outputs: Outputs, isWhole: boolean): readonly GrowingFile[] {
  const outs = ([1, 2] as const).filter(out => outputs[out] === 'inherited' && isFileOutput(out))
  const isSame = outs.length === 2 && fstatSync(1).ino === fstatSync(2).ino
  return outs.slice(0, isSame ? 1 : 2).map(out => follow(out, isWhole))
}

function follow(out: Out, isWhole: boolean): GrowingFile {
  const buffer = Buffer.allocUnsafe(pieceBytes)
  let at = sizeOf(out)
  return {
    out,
    read(onOutput) {
      const size = sizeOf(out)
      // It was cut.
      if (size < at) at = 0
      if (size === at) return
      // Our own descriptor is open for writing.
      const file = attempt(() => openSync(`/dev/fd/${out}`, 'r'))
      if (file === undefined) return
      if (!isWhole) at = Math.max(at, size - pieceBytes)
      const end = Math.min(size, at + mostBytes)
      while (at < end) {
        const length = attempt(() => readSync(file, buffer, 0, Math.min(pieceBytes, end - at), at)) ?? 0
        if (length === 0) break
        at += length
        const piece = withoutOwnLines(buffer.subarray(0, length))
        if (piece.length > 0) onOutput(piece)
      }
      closeSync(file)
    },
  }
}

const sizeOf = (out: Out): number => attempt(() => fstatSync(out).size) ?? 0
