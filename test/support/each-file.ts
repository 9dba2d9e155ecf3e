/** Set up before each file, so that this is the last of its hooks to run. */
import { afterAll } from 'vitest'
import { removeTemporaryFolders } from './lull.ts'

afterAll(removeTemporaryFolders)

// A pid that was not found reads as 0, which is the group of the whole run, and -1 is every process.
const kill = process.kill.bind(process)
process.kill = (pid, signal) => {
  if (pid === 0 || pid === -1) throw new Error(`kill(${pid}) would end this run`)
  return kill(pid, signal)
}
