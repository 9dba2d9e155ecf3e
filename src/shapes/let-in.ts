/** Which tokens end together. Pure: the API ends them, and the page names them before. */

type Pass = {
  readonly name: string
  /** The token that let it in, by its name. */
  readonly by?: string | undefined
}

/** This one, those that it let in, those that they let in, and so on. */
export function letInBy(name: string, all: readonly Pass[]): ReadonlySet<string> {
  const found = new Set(all.filter(one => one.name === name).map(one => one.name))
  // A set that grows while it is gone through is gone through to its end.
  for (const above of found) for (const one of all) if (one.by === above) found.add(one.name)
  return found
}
