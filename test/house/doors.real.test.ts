/** The public doors: what is reached through one has a name there, the pure ones need nothing of Node, and load quickly. */
import { execFileSync } from 'node:child_process'
import { isBuiltin } from 'node:module'
import path from 'node:path'
import { rolldown } from 'rolldown'
import { beforeAll, describe, expect, test } from 'vitest'
import { agentNames } from '../../src/agents/agent-names.ts'
import { unnamedTypes } from '../support/door-types.ts'
import { builtPackage, temporaryFolder } from '../support/lull.ts'

const root = path.resolve(import.meta.dirname, '../..')
const doors = ['index', 'core', 'agents', 'process', 'terminal'] as const

describe('the declarations that are published', () => {
  // A file that is run alone makes them itself.
  const folder = builtPackage === undefined ? temporaryFolder() : path.join(builtPackage, 'dist')
  beforeAll(() => {
    if (builtPackage !== undefined) return
    // `npm run check` tells whether they are right.
    const build = ['-p', 'tsconfig.build.json', '--emitDeclarationOnly', '--noCheck', '--outDir', folder]
    execFileSync(process.execPath, ['node_modules/typescript/bin/tsc', '--singleThreaded', ...build], {
      cwd: root,
    })
  })

  test.each(doors)('%s names every type that can be reached through it', door => {
    expect(unnamedTypes(path.join(folder, `${door}.d.ts`), folder)).toEqual([])
  })

  test('a type without a name would be found', () => {
    const missing = unnamedTypes(path.join(folder, 'sessions/session-source.d.ts'), folder)
    expect(missing.join()).toContain('core/session.d.ts: Session (by LiveSession)')
  })
})

/** What a bundle for a browser would have to be given besides, and its code. */
async function bundled(
  door: string,
): Promise<{ readonly missing: readonly string[]; readonly code: string }> {
  const missing: string[] = []
  const bundle = await rolldown({
    input: path.join(root, 'src', `${door}.ts`),
    platform: 'browser',
    logLevel: 'silent',
    external: id => {
      const isOfNode = isBuiltin(id)
      if (isOfNode) missing.push(id)
      return isOfNode
    },
  })
  const { output } = await bundle.generate({ format: 'iife', name: 'lull' })
  await bundle.close()
  return { missing, code: output[0].code }
}

describe('the pure doors', () => {
  test.each(['core', 'agents'])('%s is bundled for a browser as it is, and judges there', async door => {
    const { missing, code } = await bundled(door)
    expect(missing).toEqual([])
    // Nothing but the language itself: no process, no Buffer, no global of a browser either.
    const sandbox = `const vm = require('node:vm'); const code = require('node:fs').readFileSync(0, 'utf8')
      const lull = vm.runInNewContext(code + '; lull', {})
      console.log(Object.keys(lull).length > 3, lull.newSession ? lull.newSession(5).verdict.state.kind : lull.agentNames.length)`
    const said = execFileSync(process.execPath, ['-e', sandbox], { input: code, encoding: 'utf8' })
    expect(said).toBe(`true ${door === 'core' ? 'unknown' : agentNames.length}\n`)
  })

  test('one that reaches for Node would be found', async () => {
    expect((await bundled('process')).missing).toContain('node:timers/promises')
  })
})
