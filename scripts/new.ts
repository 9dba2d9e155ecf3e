/** `npm run new -- agent NAME`, `-- cause NAME`, `-- command NAME [GROUP]`: writes what each of them begins with. */
import { execFileSync } from 'node:child_process'
import { existsSync, globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { newAgent } from './new/new-agent.ts'
import { newCause } from './new/new-cause.ts'
import { groups, newCommand } from './new/new-command.ts'
import { applyEdit, type Scaffold } from './new/scaffold.ts'

const root = path.resolve(import.meta.dirname, '..')
const inRoot = (file: string): string => path.join(root, file)
const usage = 'npm run new -- agent NAME, cause NAME, or command NAME [GROUP]'

/** Names that mean something else: words of TypeScript, of traces, and rooms of `src/agents`. */
const taken: ReadonlySet<string> = new Set(
  'break case catch class const continue debugger default delete do else enum export extends false finally for function if import in instanceof new null return super switch this throw true try typeof var void while with yield let static await command terminal kit unknown help'.split(
    ' ',
  ),
)

class Refused extends Error {}

try {
  write(scaffoldOf(process.argv.slice(2)))
} catch (error) {
  if (!(error instanceof Refused)) throw error
  console.error(error.message)
  process.exitCode = 2
}

function scaffoldOf([kind, name = '', group = 'session']: readonly string[]): Scaffold {
  switch (kind) {
    case 'agent':
      checkName(name, /^[a-z][a-z0-9]{0,29}$/, 'small letters and digits')
      return newAgent(name)
    case 'cause':
      checkName(name, /^[a-z]{2,}(_[a-z]+)*$/, 'small letters, words joined by _')
      if (new RegExp(`\\| '${name}'`).test(read('src/core/state.ts')))
        throw new Refused(`the cause ${name} exists`)
      return newCause(name)
    case 'command': {
      checkName(name, /^[a-z][a-z0-9]{1,19}(-[a-z0-9]+)*$/, 'small letters and digits, words joined by -')
      const known = groups.find(one => one === group)
      if (known === undefined)
        throw new Refused(`${group}: no such group of commands; there are ${groups.join(', ')}`)
      const files = globSync('src/cli/groups/*.ts', { cwd: root })
      if (files.some(file => read(file).includes(`command('${name}'`)))
        throw new Refused(`lull ${name} exists`)
      return newCommand(name, known)
    }
    default:
      throw new Refused(`what is to be made? ${usage}`)
  }
}

function checkName(name: string, shape: RegExp, words: string): void {
  if (name === '') throw new Refused(`which name? ${usage}`)
  if (!shape.test(name)) throw new Refused(`${name}: must be a name of ${words}`)
  if (taken.has(name)) throw new Refused(`${name}: that name means something else`)
}

/** All of it or nothing. */
function write({ files, edits, left }: Scaffold): void {
  for (const file of Object.keys(files)) if (existsSync(inRoot(file))) throw new Refused(`${file} exists`)
  const changed = new Map<string, string>()
  for (const edit of edits) {
    const isThere = existsSync(inRoot(edit.file))
    const content = isThere ? applyEdit(changed.get(edit.file) ?? read(edit.file), edit) : undefined
    if (content === undefined)
      throw new Refused(
        `${edit.file} is not as expected, so nothing is written: change scripts/new to fit it`,
      )
    changed.set(edit.file, content)
  }
  for (const [file, text] of [...Object.entries(files), ...changed]) {
    mkdirSync(path.dirname(inRoot(file)), { recursive: true })
    writeFileSync(inRoot(file), text)
  }
  const written = [...Object.keys(files), ...changed.keys()]
  const sources = written.filter(file => file.endsWith('.ts'))
  execFileSync(inRoot('node_modules/.bin/biome'), ['check', '--write', ...sources], {
    cwd: root,
    stdio: 'pipe',
  })
  for (const file of written) console.log(`${file in files ? 'new' : 'changed'}: ${file}`)
  console.log('left to do:')
  for (const one of left) console.log(`  ${one}`)
}

function read(file: string): string {
  return readFileSync(inRoot(file), 'utf8')
}
