/** The built package as it is installed, with no sources beside it: `bin/lull.js` runs `dist` there. */
import { execFileSync } from 'node:child_process'
import { cpSync, readFileSync, rmSync, symlinkSync } from 'node:fs'
import path from 'node:path'

const root = path.resolve(import.meta.dirname, '..')

/**
 * @param into a folder, made anew
 * @returns its `bin/lull.js`
 */
function copyPackage(into: string): string {
  const { files } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8')) as { files: string[] }
  rmSync(into, { recursive: true, force: true })
  for (const name of [...files, 'package.json'])
    cpSync(path.join(root, name), path.join(into, name), { recursive: true })
  symlinkSync(path.join(root, 'node_modules'), path.join(into, 'node_modules'))
  return path.join(into, 'bin/lull.js')
}

/** As `copyPackage`, of the sources as they are. */
export function builtPackage(into: string): string {
  execFileSync('npm', ['run', '--silent', 'build'], { cwd: root, stdio: 'inherit' })
  return copyPackage(into)
}

if (import.meta.main) copyPackage(path.join(root, 'node_modules/.cache/lull/package'))
