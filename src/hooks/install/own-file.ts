/** Files that are ours alone: made, brought up to date, removed; another's file of that name is left alone. */

import type { OwnFile } from './desired.ts'
import type { FileKind } from './edit-file.ts'
import { leftAsItIs } from './install-error.ts'

const alone: Pick<FileKind, 'isWhole' | 'merge'> = {
  isWhole: () => true,
  merge: (_base, _theirs, text) => text,
}

/** @throws {LullError} INSTALL_REFUSED at the edit, where somebody else's file has that name */
export const ownFileInstalled = ({ file, text: wanted, mode, isOurs }: OwnFile): FileKind => ({
  ...alone,
  mode,
  edit(text) {
    if (text === undefined || isOurs(text)) return wanted
    throw leftAsItIs(`${file} is there already and is not lull's`)
  },
})

export const ownFileRemoved = ({ mode, isOurs }: OwnFile): FileKind => ({
  ...alone,
  mode,
  edit: text => (text !== undefined && isOurs(text) ? undefined : text),
})
