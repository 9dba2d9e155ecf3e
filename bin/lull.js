#!/usr/bin/env node
// Says in one sentence what is missing where Node is too old to read the rest. Plain JavaScript on purpose.
import { existsSync } from 'node:fs'
import * as nodeModule from 'node:module'
import { compileCacheFolder } from './compile-cache.js'

const [major = 0, minor = 0] = process.versions.node.split('.').map(Number)
if (major < 22 || (major === 22 && minor < 18)) {
  process.stderr.write(`lull needs Node.js 22.18 or newer, and this is ${process.versions.node}.\n`)
  process.exit(1)
}
// A cache that is enabled already is the person's own choice (NODE_COMPILE_CACHE).
const cache = nodeModule.getCompileCacheDir?.() === undefined ? compileCacheFolder() : undefined
if (cache !== undefined) nodeModule.enableCompileCache(cache)
const source = new URL('../src/cli/main.ts', import.meta.url)
const built = new URL('../dist/cli/main.js', import.meta.url)
const { main } = await import((existsSync(source) ? source : built).href)
// Where nothing is left that could end it, Node would tell of a promise, and end with a code of its own.
let isOver = false
process.once('beforeExit', () => {
  if (isOver) return
  process.stderr.write(
    'lull: this command waits for what can no longer come: that is a fault of lull’s own\n',
  )
  process.exit(process.exitCode || 1)
})
await main(process.argv)
isOver = true
