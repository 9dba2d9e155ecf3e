// @ts-nocheck: it takes its words as they come.
// A relay as editors have it: node-pty, whose folder is the first word.
const [folder, ...words] = process.argv.slice(2)
const inner = require(folder).spawn(words[0], words.slice(1), { cols: 110, rows: 30, env: process.env })
process.stdin.setRawMode(true)
process.stdin.on('data', data => inner.write(data))
inner.onData(data => process.stdout.write(data))
inner.onExit(() => process.exit())
