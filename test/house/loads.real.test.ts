/** What a command begins with loads little: each file of it is time before the first answer (`npm run bench:start`). */
import { execFileSync } from 'node:child_process'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { expect, test } from 'vitest'

const source = path.resolve(import.meta.dirname, '../../src')

/** The modules that are loaded with one: below `src/`, or the name of a package with a slash before it. */
function loadedWith(file: string): readonly string[] {
  const program = `
    import { registerHooks } from 'node:module'
    const urls = []
    registerHooks({ load: (url, context, next) => (urls.push(url), next(url, context)) })
    await import(${JSON.stringify(pathToFileURL(path.join(source, file)).href)})
    console.log(JSON.stringify(urls))`
  const told = execFileSync(process.execPath, ['--input-type=module', '-e', program], { encoding: 'utf8' })
  return (JSON.parse(told) as string[]).map(url =>
    url.replace(/^.*\/node_modules(\/[^/]+).*$/, '$1').replace(`${pathToFileURL(source).href}/`, ''),
  )
}

const readers = /^\/zod|^agents\/(?:registry|[^/]+\/(?:agent|rows|hooks|transcript))\.ts$/

test('a table of sessions that a host tells loads no reader of an agent', () => {
  const loaded = loadedWith('cli/ui/session-rows.ts')
  expect(loaded).toContain('agents/limit-texts.ts')
  expect(loaded.filter(file => readers.test(file))).toEqual([])
})

test('the hint below it on what is unknown loads none either', () => {
  const loaded = loadedWith('sessions/hints/hint-on-unknown.ts')
  expect(loaded).toContain('agents/hook-plans.ts')
  expect(loaded.filter(file => readers.test(file))).toEqual([])
})

test('a command that names no other machine loads nothing that connects to one', () => {
  const loaded = ['cli/open-lull.ts', 'cli/commands/ps-command.ts', 'index.ts'].flatMap(loadedWith)
  const connecting = /^fleet\/(?!load-boxes)|^node:http2$/
  expect(loaded.filter(file => connecting.test(file))).toEqual([])
  expect(loadedWith('fleet/connect-boxes.ts').filter(file => connecting.test(file))).not.toEqual([])
})

test('the groups of commands load no connection: each of them is loaded for every command that it has', () => {
  const loaded = ['session', 'terminal', 'trace'].flatMap(name => loadedWith(`cli/groups/${name}-group.ts`))
  expect(loaded).toContain('cli/flags/on-flag.ts')
  expect(loaded.filter(file => /^(?:connect|fleet|host|track)\//.test(file))).toEqual([])
})

test('one would be found', () => {
  const loaded = loadedWith('agents/registry.ts')
  expect(loaded.filter(file => readers.test(file))).toEqual(
    expect.arrayContaining(['/zod', 'agents/registry.ts']),
  )
})
