/** Another user of the machine, who is not trusted: only root can act as one. */
import { spawn } from 'node:child_process'
import { lchownSync } from 'node:fs'
import type { TestContext } from 'vitest'
import { endWithTest } from './end-with-test.ts'

/** A number that no user of the machine has. */
const stranger = 12_345

/** Skips a test, saying so, where nothing can be given to another user. */
export function needsOtherUser({ skip }: TestContext): void {
  skip(process.getuid?.() !== 0, 'only root can give a file to another user')
}

/** Makes a file or folder, not what is in it, the stranger's. */
export const giveAway = (file: string): void => lchownSync(file, stranger, stranger)

/** A program of Node's that the stranger runs until the test is over. */
export function asStranger(script: string): { printed(): string } {
  const child = spawn(process.execPath, ['-e', script], { uid: stranger, gid: stranger, cwd: '/' })
  endWithTest(child)
  let printed = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', piece => {
      printed += piece
    })
  }
  return { printed: () => printed }
}
