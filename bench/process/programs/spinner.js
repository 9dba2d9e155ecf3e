// A spinner, ten times a second: alone, above a stdin that it listens to, or above a request to URL.
const [, , beside] = process.argv
let turn = 0
setInterval(() => {
  process.stdout.write(`\r${'|/-\\'[turn++ % 4]} thinking ${Math.floor(turn / 10)}s`)
}, 100)
if (beside === 'stdin') process.stdin.on('data', () => undefined)
else if (beside) fetch(beside).catch(() => undefined)
