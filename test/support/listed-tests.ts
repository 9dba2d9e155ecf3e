/** Which tests there are, by their full names: what a page says is shown by one of them has to be. */
import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { promisify } from 'node:util'
import { temporaryFile } from './lull.ts'
import { repository } from './markdown.ts'

/**
 * The full names of the tests of these files, as `-t` is laid beside them.
 * @param how `read`: as they stand in the text, those of a table once; `loaded`: all of them, which takes six times as long
 */
export async function testsOf(
  files: readonly string[],
  how: 'read' | 'loaded',
): Promise<ReadonlyMap<string, readonly string[]>> {
  const listed = temporaryFile('tests.json', '')
  const vitest = path.join(repository, 'node_modules/vitest/vitest.mjs')
  const args = [
    vitest,
    'list',
    `--staticParse=${how === 'read'}`,
    '--isolate=false',
    `--json=${listed}`,
    ...new Set(files),
  ]
  // Of the run that this one is part of nothing is passed on. What files make where they are loaded stays: no test runs.
  const { PATH = '', HOME = '' } = process.env
  await promisify(execFile)(process.execPath, args, {
    cwd: repository,
    env: { PATH, HOME, TMPDIR: path.dirname(listed), LULL_LISTS_TESTS: '1' },
  })
  const names = new Map<string, string[]>()
  for (const { name, file } of JSON.parse(readFileSync(listed, 'utf8')) as { name: string; file: string }[]) {
    const known = path.relative(repository, file)
    names.set(known, [...(names.get(known) ?? []), name.replaceAll(' > ', ' ')])
  }
  return names
}
