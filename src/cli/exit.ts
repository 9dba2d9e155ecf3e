/** Exit codes, one table for every command (docs/exit-codes.md), and errors that are a sentence for people. */
export const exitCode = {
  reached: 0,
  failed: 1,
  usage: 2,
  waitsForPerson: 3,
  stuck: 4,
  gone: 5,
  turnFailed: 6,
  limited: 7,
  timeout: 124,
} as const

/** What the person asked for can't be done as asked: the sentence says what is wrong, where, and what would be right. */
export class UsageError extends Error {
  readonly code = 'USAGE'
}

/** The sentence for an error that the input caused, or undefined where it is a fault of ours. */
export function sentenceFor(error: unknown, file?: string): string | undefined {
  if (!(error instanceof Error)) return undefined
  const where = file === undefined ? '' : `${file}: `
  if (error instanceof UsageError) return error.message
  const code = 'code' in error ? error.code : undefined
  switch (code) {
    case 'ENOENT':
      return `${where}no such file`
    case 'EISDIR':
      return `${where}is a folder, not a file`
    case 'EACCES':
      return `${where}may not be read by this user`
    case 'Z_DATA_ERROR':
    case 'Z_BUF_ERROR':
      return `${where}named .gz, but it is not whole gzip data`
    case 'ERR_BUFFER_TOO_LARGE':
      return `${where}unpacks to more than 512 MB: unpack it first`
    case 'NOT_A_TRACE':
    case 'FUTURE_VERSION':
    case 'UNKNOWN_AGENT':
    case 'NOT_A_TRANSCRIPT':
    case 'BAD_DURATION':
    case 'BAD_ADDRESS':
    case 'NO_SESSION':
    case 'AMBIGUOUS_SESSION':
    case 'HOST_GONE':
    case 'SOURCE_GONE':
    case 'LOCKED':
    case 'BAD_PLACE':
    case 'INSTALL_REFUSED':
    case 'NO_TMUX':
    case 'OLD_TMUX':
    case 'NO_SERVER':
    case 'FOREIGN_SERVER':
    case 'NO_PANE':
    case 'BAD_PANE':
    case 'AMBIGUOUS_PANE':
    case 'BAD_PATTERN':
    case 'BAD_GOAL':
    case 'BAD_KEY':
    case 'REFUSED':
    case 'ENDED':
      return `${where}${error.message}`
    default:
      return undefined
  }
}

/** Errors that no other words on the command line would have avoided. */
const failures: ReadonlySet<unknown> = new Set([
  'HOST_GONE',
  'SOURCE_GONE',
  'LOCKED',
  'BAD_PLACE',
  'INSTALL_REFUSED',
  'NO_TMUX',
  'OLD_TMUX',
  'REFUSED',
  'ENDED',
])

export const exitCodeFor = (error: unknown): number =>
  error instanceof Error && 'code' in error && failures.has(error.code) ? exitCode.failed : exitCode.usage
