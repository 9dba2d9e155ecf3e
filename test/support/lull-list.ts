/** Command lines one after the other, as `lullHere` runs them, in a process of its own: a test gives that one what it can't have itself. */
import { lullHere } from './lull-here.ts'

const [, , calls = '[]'] = process.argv
const ended = []
for (const [args, env] of JSON.parse(calls) as [string[], Record<string, string>][])
  ended.push(await lullHere(args, env))
console.log(JSON.stringify(ended))
