/** The installed CLI of an agent: where it is, which version, and which hook events it knows by its own list. */
import { execFile } from 'node:child_process'
import { globSync, realpathSync, statSync } from 'node:fs'
import path from 'node:path'
import { promisify } from 'node:util'
import type { HookedAgent } from '../../agents/kit/agent.ts'
import { attempt } from '../../os/attempt.ts'
import { packageFolder, versionIn, versionOfProgram } from '../../os/file/package-version.ts'
import { probeVariable } from '../../os/proc/command-line.ts'
import { programOnPath } from '../../os/spawn/find-program.ts'
import { eventsIn } from './event-list.ts'

export type CliProgram = {
  /** As it was found on the path. */
  readonly path: string
  readonly version?: string
  /** The events that the program lists; none where it has no list that lull can read. */
  readonly events?: ReadonlySet<string>
}

type Env = Readonly<Record<string, string | undefined>>

/** @param given where it is, if it is not on the path */
export async function findCli(
  agent: HookedAgent,
  env: Env = process.env,
  given?: string,
): Promise<CliProgram | undefined> {
  const found = given ?? programOnPath(agent.process.argv0, env.PATH)
  const program = found === undefined ? undefined : attempt(() => realpathSync(found))
  if (found === undefined || program === undefined) return undefined
  const { list } = agent.hooks
  const events = list === undefined ? undefined : eventsIn(filesOf(program), list)
  const version = versionOfProgram(program) ?? (await saidVersion(found, env))
  return { path: found, ...(version === undefined ? {} : { version }), ...(events ? { events } : {}) }
}

/**
 * All that may hold the program's list: the program, and where it came as a package, the package's scripts, and the
 * programs of the packages for one platform that stand beside it (`NAME-linux-x64`).
 */
function filesOf(program: string): string[] {
  const folder = packageFolder(program)
  if (folder === undefined) return [program]
  const beside = `${folder.replace(/-(linux|darwin|win32)-[^/\\]*$/, '')}-*`
  const inside = path.join(folder, 'node_modules', path.basename(path.dirname(folder)), '*')
  const patterns = [folder, beside, inside].flatMap(where => [
    path.join(where, '*.{js,cjs,mjs}'),
    path.join(where, '{bundle,chunks,dist,lib}', '**/*.{js,cjs,mjs}'),
    path.join(where, '*'),
    path.join(where, '{bin,vendor}', '**/*'),
  ])
  const files = new Set([program, ...patterns.flatMap(pattern => globSync(pattern))])
  return [...files].filter(file => attempt(() => mayHoldList(file)) === true)
}

/** Scripts of a bundle, and programs; a package has many small files besides. */
const smallest = 4096

const mayHoldList = (file: string): boolean => {
  const stat = statSync(file)
  return stat.isFile() && stat.size > smallest
}

const run = promisify(execFile)
const longestAnswerMs = 10_000

async function saidVersion(program: string, env: Env): Promise<string | undefined> {
  const quiet = { DISABLE_AUTOUPDATER: '1', CI: '1', [probeVariable]: '1' }
  const answer = await run(program, ['--version'], {
    timeout: longestAnswerMs,
    maxBuffer: 64 * 1024,
    env: { ...env, ...quiet },
  }).catch(() => undefined)
  return answer === undefined ? undefined : versionIn(answer.stdout)
}
