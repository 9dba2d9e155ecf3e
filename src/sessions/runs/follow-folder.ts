/** Looks at a folder as soon as something changes in it, and each second: some file systems report nothing. */
import type { Clock, Timer } from '../../core/clock.ts'
import { watchFolder } from '../../os/file/watch-file.ts'
import { nextBeat } from '../../track/clock.ts'

const everyMs = 1000

export function followFolder(folder: string, clock: Clock, look: () => void): { close(): void } {
  const watch = watchFolder(folder, look)
  let timer: Timer
  const wait = (): void => {
    timer = clock.at(nextBeat(clock.now(), everyMs), lookAgain)
  }
  function lookAgain(): void {
    wait()
    watch.renew()
    look()
  }
  wait()
  return {
    close() {
      timer.cancel()
      watch.close()
    },
  }
}
