/** The code of a system call that failed: `ENOENT`, `EACCES`, … */
export const codeOf = (error: unknown): string | undefined =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined

export const hasCode = (error: unknown, code: string): boolean => codeOf(error) === code
