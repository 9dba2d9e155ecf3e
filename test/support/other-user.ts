/** Another user of the machine, who is not trusted: only root can act as one. */
import { lchownSync } from 'node:fs'
import type { TestContext } from 'vitest'

/** A number that no user of the machine has. */
const stranger = 12_345

/** Skips a test, saying so, where nothing can be given to another user. */
export function needsOtherUser({ skip }: TestContext): void {
  skip(process.getuid?.() !== 0, 'only root can give a file to another user')
}

/** Makes a file or folder, not what is in it, the stranger's. */
export const giveAway = (file: string): void => lchownSync(file, stranger, stranger)
