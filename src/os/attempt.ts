/** Processes and files come and go while they are looked at: what is gone is not an error. */
export function attempt<T>(act: () => T): T | undefined {
  try {
    return act()
  } catch {
    return undefined
  }
}
