/** The reader for the machine that this runs on. */
import { type LinuxOptions, linuxReader } from './linux/linux-reader.ts'
import { macosReader } from './macos/macos-reader.ts'
import type { ProcessReader } from './process-reader.ts'

/** Gives no snapshots. */
const blindReader = (unsupportedReason: string): ProcessReader => ({
  snapshot: () => undefined,
  known: () => new Map(),
  unsupportedReason,
})

export function systemReader(options: LinuxOptions = {}): ProcessReader {
  switch (process.platform) {
    case 'linux':
      return linuxReader(options)
    case 'darwin':
      return macosReader(options.supervisor)
    default:
      return blindReader(
        `lull can't look into processes on ${process.platform}: it knows of exits, signals and output only`,
      )
  }
}
