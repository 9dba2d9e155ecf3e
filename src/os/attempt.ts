/** Processes and files come and go while lull reads them: one that is gone is not an error. */
export function attempt<T>(act: () => T): T | undefined {
  try {
    return act()
  } catch {
    return undefined
  }
}
