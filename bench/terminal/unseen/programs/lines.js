// @ts-nocheck: it takes its words as they come.
// REPLs of nobody in Node: `lines.js readline|repl PROMPT CONTINUATION`.
const readline = require('node:readline')
const repl = require('node:repl')
const { execSync } = require('node:child_process')

const [kind, prompt, more] = process.argv.slice(2)
const sleep = () => execSync('sleep 60')

if (kind === 'repl') {
  const server = repl.start({ prompt })
  server.context.run = () => {
    process.stdout.write('now\n')
    sleep()
  }
  server.context.fake = () => {
    process.stdout.write(`now\n${prompt}`)
    sleep()
  }
} else {
  const lines = readline.createInterface({ input: process.stdin, output: process.stdout, prompt })
  let isMore = false
  lines.prompt()
  lines.on('line', line => {
    const [, a, b] = /^(\d+)\*(\d+)/.exec(line) ?? []
    if (isMore) {
      isMore = line !== 'end'
      if (!isMore) console.log('5183')
      lines.setPrompt(isMore ? more : prompt)
    } else if (a) console.log(a * b)
    else if (line === 'more') {
      isMore = true
      lines.setPrompt(more)
    } else if (line === 'run' || line === 'fake') {
      process.stdout.write(`now\n${line === 'fake' ? prompt : ''}`)
      // It awaits, as servers' consoles do: the line editor reads on beside it.
      setTimeout(() => console.log('over'), 60000)
      return
    } else if (line === 'block') {
      process.stdout.write(`now\n${prompt}`)
      sleep()
    } else if (line === 'ask') {
      lines.question('Name? ', answer => {
        console.log(`got:${answer}`)
        lines.prompt()
      })
      return
    }
    lines.prompt()
  })
}
