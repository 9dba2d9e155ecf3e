/** Why the system refused a file, in words: the only table of its error codes (errno(3)). */

const reasons: Readonly<Record<string, string>> = {
  EACCES: 'this user has no right to it',
  EPERM: 'this user may not change it',
  EROFS: 'its file system is read-only',
  ENOSPC: 'no space is left on its file system',
  EDQUOT: 'the quota of this user is used up',
  EFBIG: 'it may not become any larger (ulimit -f)',
  ENOENT: 'no such file or folder',
  EEXIST: 'something else is there already',
  ENOTEMPTY: 'the folder there is not empty',
  ELOOP: 'its symbolic links lead in a circle',
  ENOTDIR: 'a part of its path is a file, not a folder',
  EISDIR: 'it is a folder, not a file',
  ENXIO: 'nothing stands behind it',
  ENODEV: 'nothing stands behind it',
  EBUSY: 'it is in use',
  ETXTBSY: 'it runs as a program now',
  EXDEV: 'it lies on another file system',
  EMLINK: 'its file system allows no other name for it',
  ENOTSUP: 'its file system can’t do that',
  ENOSYS: 'its file system can’t do that',
  ENAMETOOLONG: 'its name is too long',
  EMFILE: 'too many files are open (ulimit -n)',
  ENFILE: 'too many files are open on this machine',
  ENOMEM: 'no memory is left',
  EAGAIN: 'the system has no room for it now (ulimit -u)',
  EIO: 'its disk fails',
  ESTALE: 'its server has lost it',
  ETIMEDOUT: 'its server does not answer',
  EPIPE: 'nobody reads it any more',
}

/** Undefined where the system did not refuse a file: it is a fault of ours, or of another kind. */
export function refusalOf(error: unknown): string | undefined {
  const code = codeOf(error)
  return code === undefined ? undefined : reasons[code]
}

function codeOf(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined
  // Node's loader of modules has no such code for it.
  if (/^Cannot read package config .*: too many open files/.test(error.message)) return 'EMFILE'
  return 'code' in error ? String(error.code) : undefined
}

/** Errors that prevent opening any file: they do not depend on the file. */
const exhaustions: ReadonlySet<string> = new Set(['EMFILE', 'ENFILE', 'ENOMEM'])

/** The words for such a code, undefined for others. */
export const exhaustionOf = (code: string | undefined): string | undefined =>
  code !== undefined && exhaustions.has(code) ? reasons[code] : undefined

export const exhaustionIn = (error: unknown): string | undefined => exhaustionOf(codeOf(error))

/** The same as part of a sentence, whatever it was. */
export const whyNot = (error: unknown): string => refusalOf(error) ?? (error as Error).message
