/** The boxes that names mean, and the way to each. */
import type { Clock } from '../core/clock.ts'
import { type OpenBox, openBox } from './open-box.ts'
import { overSsh } from './over-ssh.ts'
import { boxesOn, readHosts } from './read-hosts.ts'

export type OpenBoxes = { readonly boxes: readonly OpenBox[]; close(): Promise<void> }

/** @throws {LullError} USAGE, BAD_HOSTS */
export async function openBoxes(names: readonly string[], clock: Clock): Promise<OpenBoxes> {
  const boxes = boxesOn(names, readHosts(process.env)).map(box =>
    openBox(box.name, () => overSsh(box, clock), clock),
  )
  return {
    boxes,
    async close() {
      for (const box of boxes) box.close()
    },
  }
}
