/** Of which package a program is, and which version that has: from where its file lies, without running it. */
import path from 'node:path'
import { attempt } from '../attempt.ts'
import { readJsonFile } from './json-file.ts'

/** The package that a file belongs to: the innermost below a `node_modules`. */
export function packageFolder(file: string): string | undefined {
  return /^.*[/\\]node_modules[/\\](?:@[^/\\]+[/\\])?[^/\\]+(?=[/\\])/.exec(file)?.[0]
}

/** @param program a whole path, links followed; an installer may name the program itself like its version */
export const versionOfProgram = (program: string): string | undefined =>
  attempt(() => packageVersion(program)) ?? versionIn(path.basename(program))

function packageVersion(program: string): string | undefined {
  const folder = packageFolder(program)
  const { version } = folder === undefined ? {} : readJsonFile(path.join(folder, 'package.json'))
  return typeof version === 'string' ? versionIn(version) : undefined
}

export const versionIn = (text: string): string | undefined =>
  /(?<!\d)\d+\.\d+\.\d+(?:-[\w.]+)?/.exec(text)?.[0]
