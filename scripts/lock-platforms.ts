/**
 * Completes package-lock.json after an `npm install`. Where a registry lacks the optional packages of other platforms,
 * npm leaves them out of the lock, and `npm ci` then refuses it everywhere.
 */
import { readFileSync, writeFileSync } from 'node:fs'

type Package = {
  version?: string
  dev?: boolean
  optional?: boolean
  os?: string[]
  cpu?: string[]
  libc?: string[]
  optionalDependencies?: Record<string, string>
}

const file = new URL('../package-lock.json', import.meta.url)
const lock = JSON.parse(readFileSync(file, 'utf8')) as { packages: Record<string, Package> }

/** `@biomejs/cli-linux-x64-musl`: the name has the package's own `os`, `cpu` and `libc`. */
const platform = /-(android|darwin|freebsd|linux|openharmony|win32)-([a-z0-9]+)/

for (const parent of Object.values(lock.packages)) {
  for (const [name, version] of Object.entries(parent.optionalDependencies ?? {})) {
    const [, os, arch] = platform.exec(name) ?? []
    const key = `node_modules/${name}`
    if (!os || !arch || lock.packages[key]) continue
    const libc = /-musl/.test(name) ? ['musl'] : /-gnu/.test(name) ? ['glibc'] : undefined
    const cpu = [arch === 'arm' || arch === 'eabi' ? 'arm' : arch]
    lock.packages[key] = { version, dev: true, optional: true, os: [os], cpu, ...(libc ? { libc } : {}) }
    console.log(`added ${name} ${version}`)
  }
}
writeFileSync(file, `${JSON.stringify(lock, null, 2)}\n`)
