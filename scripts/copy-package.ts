/** The built package as it is installed, with no sources beside it: `bin/lull.js` runs `dist` there. */
import { cpSync, readFileSync, rmSync } from 'node:fs'
import path from 'node:path'

const root = path.resolve(import.meta.dirname, '..')

/**
 * @param into a folder, made anew; below `node_modules`' parent it finds the packages that lull needs
 * @returns its `bin/lull.js`
 */
export function copyPackage(into: string): string {
  const { files } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8')) as { files: string[] }
  rmSync(into, { recursive: true, force: true })
  for (const name of [...files, 'package.json'])
    cpSync(path.join(root, name), path.join(into, name), { recursive: true })
  return path.join(into, 'bin/lull.js')
}

if (import.meta.main) copyPackage(path.join(root, 'node_modules/.cache/lull/package'))
