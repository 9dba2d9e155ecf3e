#!/usr/bin/env node
// Says in one sentence what is missing where Node is too old to read the rest. Plain JavaScript on purpose.
import { existsSync } from 'node:fs'
import * as nodeModule from 'node:module'

const [major, minor] = process.versions.node.split('.').map(Number)
if (major < 22 || (major === 22 && minor < 18)) {
  process.stderr.write(`lull needs Node.js 22.18 or newer, and this is ${process.versions.node}.\n`)
  process.exit(1)
}
if (nodeModule.enableCompileCache) nodeModule.enableCompileCache()
const source = new URL('../src/cli/main.ts', import.meta.url)
const built = new URL('../dist/cli/main.js', import.meta.url)
const { main } = await import((existsSync(source) ? source : built).href)
await main(process.argv)
