/** The style sheet of the page. */
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { needs } from '../../src/core/explain/need.ts'

test('the class that tells what a row needs is nothing else’s: its coloured bar stays', () => {
  const style = readFileSync(path.resolve(import.meta.dirname, '../../src/page/style.css'), 'utf8')
  const alone = [...style.matchAll(/(?:^|[\s,}])\.([\w-]+)(?=\s*[,{])/gm)].map(([, name]) => name)
  expect(alone).toContain('row')
  expect(needs.filter(need => alone.includes(need))).toEqual([])
})
