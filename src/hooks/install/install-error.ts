/** Why a file of the person's was left as it is. */
import { LullError } from '../../core/lull-error.ts'

const reasons: Readonly<Record<string, string>> = {
  EACCES: 'this user may not write there',
  EPERM: 'this user may not change it',
  EROFS: 'its file system is read-only',
  ENOSPC: 'no space is left on its file system',
  EDQUOT: 'the quota of this user is used up',
  ELOOP: 'its symbolic links lead in a circle',
  ENOTDIR: 'a part of its path is a file, not a folder',
  EISDIR: 'it is a folder, not a file',
  ENAMETOOLONG: 'its name is too long',
  EMFILE: 'too many files are open',
  EIO: 'its disk fails',
}

/** The sentence for what the system refused, or the error itself where it is a fault of ours. */
export function refused(error: unknown, file: string): unknown {
  if (!(error instanceof Error) || !('code' in error)) return error
  const reason = reasons[String(error.code)]
  return reason === undefined
    ? error
    : new LullError('INSTALL_REFUSED', `${file}: ${reason}; nothing was changed`)
}
