// An agent between its turns. `fetch` URL: listens to stdin meanwhile; `mcp` URL: an idle tool server waits beside;
// `compute`, `ask`: a tool that computes, that reads the agent's stdin; `idle` URL: a kept connection, and a tool that sleeps.
import { spawn } from 'node:child_process'
import http from 'node:http'

const [, , way, url] = process.argv
const tool = (command, stdin) => spawn(command[0], command.slice(1), { stdio: [stdin, 'pipe', 'inherit'] })

const ways = {
  fetch: () => {
    process.stdin.on('data', () => undefined)
    fetch(url).catch(() => undefined)
  },
  mcp: () => {
    tool(['cat'], 'pipe').stdout.on('data', () => undefined)
    fetch(url).catch(() => undefined)
  },
  compute: () => tool(['sha256sum', '/dev/zero'], 'ignore').stdout.resume(),
  ask: () => tool(['bash', '-c', 'read -r -p "ok? " answer'], 'inherit').stdout.resume(),
  idle: () => {
    const agent = new http.Agent({ keepAlive: true, timeout: 0 })
    http.get(url, { agent }, answer => {
      answer.resume()
      answer.on('end', () => tool(['sleep', '60'], 'ignore').stdout.resume())
    })
  },
}
ways[way]()
