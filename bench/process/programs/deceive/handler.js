// Node waits for a child that reads its own pipe, and has a handler of a signal: `handler.js NAME FOLDER`.
import { spawn } from 'node:child_process'
import { renameSync, writeFileSync } from 'node:fs'

const [name, folder] = process.argv.slice(2)
const child = spawn('cat', { stdio: ['pipe', 'ignore', 'ignore'] })
process.on(name, () => child.stdin.end())
child.on('close', () => console.log('went on'))
writeFileSync(`${folder}/pid.new`, String(process.pid))
renameSync(`${folder}/pid.new`, `${folder}/pid`)
