// Listens to stdin in one of node's ways: `data`, `resume` beside a promise that never settles, `question`, `sync`, `async`.
import fs from 'node:fs'
import readline from 'node:readline'

const ways = {
  data: () => process.stdin.on('data', () => undefined),
  resume: () => {
    process.stdin.resume()
    return new Promise(() => undefined)
  },
  question: () =>
    readline
      .createInterface({ input: process.stdin, output: process.stdout })
      .question('Proceed? ', () => undefined),
  sync: () => fs.readSync(0, Buffer.alloc(10)),
  async: () => fs.read(0, Buffer.alloc(10), 0, 10, null, () => undefined),
}
ways[process.argv[2]]()
