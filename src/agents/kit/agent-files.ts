/** Path patterns of the files that agents write, and the time stamps in their lines. */
import { parseIso, parseStamp } from '../../core/trace/time-stamp.ts'
import { isRecord, parseJson } from '../../core/trace/trace.ts'
import type { Agent } from './agent.ts'

/** The stamp of a line, whatever its agent calls it. Only the start of a long line is looked at. */
export function ownStamp(text: string): number | undefined {
  const json = text.startsWith('{') ? parseJson(text) : undefined
  if (isRecord(json)) return parseStamp(json.timestamp) ?? parseStamp(json.time) ?? parseStamp(json.ts)
  const logged = /(?:^|\s)timestamp=(\S+)/.exec(text.slice(0, 200))?.[1]
  return logged === undefined ? undefined : parseIso(logged)
}

/** Matches a path's tail against a pattern of the registry: `*` is one segment, `**` any number. */
export function matchesGlob(pattern: string, path: string): boolean {
  const source = pattern
    .split('/')
    .map(part =>
      part === '**' ? '(?:[^/]+/)*' : `${part.replace(/[.+^${}()|[\]\\]/g, '\\$&').replace(/\*/g, '[^/]*')}/`,
    )
    .join('')
    .replace(/\/$/, '')
  const start = pattern.startsWith('/') ? '^' : '(?:^|/)'
  return new RegExp(`${start}${source}$`).test(path)
}

/**
 * An agent's patterns as absolute ones: below the home that the process sees, or where a variable of its moves them.
 * @param resolve what becomes of a base folder, if anything (links followed)
 */
export function patternsIn(
  { files }: Agent,
  patterns: readonly string[],
  env: Readonly<Record<string, string | undefined>>,
  resolve: (folder: string) => string | undefined = folder => folder,
): string[] {
  const { variable, folder } = files.moved ?? {}
  const moved = variable === undefined ? undefined : env[variable]
  return patterns.flatMap(pattern => {
    const isMoved =
      moved !== undefined && moved !== '' && folder !== undefined && pattern.startsWith(`${folder}/`)
    const base = resolve(isMoved ? moved : (env.HOME ?? ''))
    if (base === undefined) return []
    return [`${base.replace(/(?<!\/)\/+$/, '')}/${isMoved ? pattern.slice(folder.length + 1) : pattern}`]
  })
}

/**
 * True where the time in a session's id, or in its transcript's name, is the start of a process.
 * @param startedAt ms since the epoch
 */
export function isBegunWith({ files: { sessionStart } }: Agent, name: string, startedAt: number): boolean {
  const begun = sessionStart?.read(name)
  if (sessionStart === undefined || begun === undefined) return false
  return begun > startedAt - sessionStart.before && begun < startedAt + sessionStart.after
}
