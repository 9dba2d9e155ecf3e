// An agent at work, turn after turn: a slow answer of BASE, a tool that sleeps and searches, a word with its tool server.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import http from 'node:http'

const base = process.argv[2]
const agent = new http.Agent({ keepAlive: true })
const echo = 'process.stdin.on("data", data => setTimeout(() => process.stdout.write(data), 150))'
const server = spawn(process.execPath, ['-e', echo], { stdio: ['pipe', 'pipe', 'inherit'] })
process.stdin.on('data', () => undefined)

const think = async ms => {
  const [answer] = await once(http.get(`${base}/wait/${ms}`, { agent }), 'response')
  answer.resume()
  await once(answer, 'end')
}
const tool = async script => {
  const child = spawn('bash', ['-c', script], { stdio: ['ignore', 'pipe', 'pipe'] })
  child.stdout.resume()
  child.stderr.resume()
  await once(child, 'exit')
}

for (;;) {
  await think(1500)
  await tool('sleep 1; grep -r foo /usr/include | wc -l')
  server.stdin.write('x\n')
  await once(server.stdout, 'data')
  await think(700)
  await tool('seq 300000 | sort -R | sort -n | md5sum')
}
