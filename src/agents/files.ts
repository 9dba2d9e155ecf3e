/** Patterns of the files in which agents tell of themselves. */

/** Matches a path's tail against a pattern of the registry: `*` is one segment, `**` any number. */
export function matchesGlob(pattern: string, path: string): boolean {
  const source = pattern
    .split('/')
    .map(part =>
      part === '**' ? '(?:[^/]+/)*' : `${part.replace(/[.+^${}()|[\]\\]/g, '\\$&').replace(/\*/g, '[^/]*')}/`,
    )
    .join('')
    .replace(/\/$/, '')
  return new RegExp(`(?:^|/)${source}$`).test(path)
}
