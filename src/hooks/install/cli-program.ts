/** The installed CLI of an agent: where it is, which version, and which hook events it knows by its own list. */

import { globSync, readSync, realpathSync, statSync } from 'node:fs'
import path from 'node:path'
import type { HookedAgent } from '../../agents/kit/agent.ts'
import type { EventList } from '../../agents/kit/hook-plan.ts'
import { attempt } from '../../os/attempt.ts'
import { packageFolder, versionIn, versionOfProgram } from '../../os/file/package-version.ts'
import { type Env, homeOf } from '../../os/file/places.ts'
import { withPlain } from '../../os/file/plain-file.ts'
import { programOnPath } from '../../os/spawn/find-program.ts'
import { askWrapper, runningPrograms, startedPrograms } from './behind-wrapper.ts'

export type CliProgram = {
  /** As it was found on the path, or as a session of it runs. */
  readonly path: string
  readonly version?: string
  /** The events that the program lists; none where it has no list that lull can read. */
  readonly events?: ReadonlySet<string>
  /** What that one starts: the version and the events are this one's. */
  readonly behind?: string
}

export type CliSearch = {
  readonly env?: Env
  /** Where it is, if it is not on the path. */
  readonly given?: string | undefined
  /** It may be started to say its version: somebody has asked for an installation. */
  readonly mayRun?: boolean
}

type Known = Pick<CliProgram, 'version' | 'events'>

export async function findCli(
  agent: HookedAgent,
  { env = process.env, given, mayRun = false }: CliSearch = {},
): Promise<CliProgram | undefined> {
  const running = () => runningPrograms(agent, homeOf(env))
  const found =
    given ?? programOnPath(agent.process.argv0, env.PATH) ?? only(startedPrograms(agent, homeOf(env)))
  const program = found === undefined ? undefined : attempt(() => realpathSync(found))
  if (found === undefined || program === undefined) return undefined
  const own = knownOf(agent, program)
  if (isWhole(agent, own)) return { path: found, ...own }
  const asked = mayRun ? await askWrapper(found, agent, env) : undefined
  const reported = own.version ?? versionIn(asked?.printed ?? '')
  const named = reported === undefined ? own : { ...own, version: reported }
  // It has a list of its own, or none is needed: only its version was not known.
  if (isWhole(agent, named)) return { path: found, ...named }
  for (const behind of [...(asked?.programs ?? []), ...alike(running(), reported)]) {
    if (behind === program) continue
    const known = knownOf(agent, behind)
    const version = known.version ?? reported
    const whole = version === undefined ? known : { ...known, version }
    if (isWhole(agent, whole)) return { path: found, ...whole, behind }
  }
  return { path: found, ...named }
}

/** A running program may be another installation: it counts if it has the reported version, or if all have the same. */
function alike(running: readonly string[], reported: string | undefined): readonly string[] {
  const versions = running.map(file => versionOfProgram(file))
  if (reported !== undefined) return running.filter((_, index) => versions[index] === reported)
  return new Set(versions).size === 1 ? running : []
}

const only = (files: readonly string[]): string | undefined => (files.length === 1 ? files[0] : undefined)

/** Nothing more can be found out of it. */
const isWhole = ({ hooks }: HookedAgent, { version, events }: Known): boolean =>
  version !== undefined && (events !== undefined || hooks.list === undefined)

function knownOf({ hooks: { list } }: HookedAgent, program: string): Known {
  const events = list === undefined ? undefined : eventsIn(filesOf(program), list)
  const version = versionOfProgram(program)
  return { ...(version === undefined ? {} : { version }), ...(events ? { events } : {}) }
}

/**
 * All that may hold the program's list: the program, and where it came as a package, the package's scripts, and the
 * programs of the packages for one platform that stand beside it (`NAME-linux-x64`).
 */
function filesOf(program: string): string[] {
  const folder = packageFolder(program)
  if (folder === undefined) return sizeOf(program) <= largest ? [program] : []
  const beside = `${folder.replace(/-(linux|darwin|win32)-[^/\\]*$/, '')}-*`
  const inside = path.join(folder, 'node_modules', path.basename(path.dirname(folder)), '*')
  const patterns = [folder, beside, inside].flatMap(where => [
    path.join(where, '*.{js,cjs,mjs}'),
    path.join(where, '{bundle,chunks,dist,lib}', '**/*.{js,cjs,mjs}'),
    path.join(where, '*'),
    path.join(where, '{bin,vendor}', '**/*'),
  ])
  const files = new Set([program, ...patterns.flatMap(pattern => globSync(pattern))])
  return [...files].filter(file => sizeOf(file) > smallest && sizeOf(file) <= largest)
}

/** Scripts of a bundle, and programs (the largest has 0.3 GB); a package has many small files besides. Bytes. */
const [smallest, largest] = [4096, 1024 ** 3]

/** 0 of what is no file. */
function sizeOf(file: string): number {
  const stat = attempt(() => statSync(file))
  return stat?.isFile() ? stat.size : 0
}

const pieceBytes = 4 * 1024 * 1024
/** Bytes examined around an anchor; also how much of a piece the next one repeats. */
const aroundBytes = 4096

/**
 * The events that these files list together.
 * @returns undefined where there is no list that holds the names it must
 */
function eventsIn(files: readonly string[], list: EventList): ReadonlySet<string> | undefined {
  const names = new Set<string>()
  const needle = Buffer.from(list.near)
  const buffer = Buffer.alloc(pieceBytes + 2 * aroundBytes)
  for (const file of files) {
    attempt(() => withPlain(file, fd => scan(fd, buffer, needle, text => collect(text, list, names))))
  }
  return list.holds.every(name => names.has(name)) ? names : undefined
}

/** Calls with the text around each occurrence of the needle. */
function scan(fd: number, buffer: Buffer, needle: Buffer, look: (text: string) => void): void {
  for (let at = 0; ; at += pieceBytes) {
    const size = readSync(fd, buffer, 0, buffer.length, at)
    const piece = buffer.subarray(0, size)
    for (let hit = piece.indexOf(needle); hit >= 0; hit = piece.indexOf(needle, hit + needle.length)) {
      look(piece.toString('latin1', Math.max(0, hit - aroundBytes), hit + aroundBytes))
    }
    if (size < buffer.length) return
  }
}

/** What a pattern finds: names one by one, or the whole list at once. A program holds parts of the list as well. */
function collect(text: string, { pattern, holds }: EventList, names: Set<string>): void {
  for (const [, found = ''] of text.matchAll(pattern)) {
    const listed: readonly string[] = found.match(/[A-Za-z]+/g) ?? []
    const isList = listed.length > 1
    if (isList && (listed.length < names.size || !holds.every(name => listed.includes(name)))) continue
    if (isList) names.clear()
    for (const name of listed) names.add(name)
  }
}
