/** Set up before each file of the project `pure`: who starts a program or opens a socket there fails, also where it is caught. */
import childProcess from 'node:child_process'
import { createRequire, syncBuiltinESMExports } from 'node:module'
import net from 'node:net'
import { afterAll } from 'vitest'

const refused: string[] = []

function refuse(object: object, ...methods: readonly string[]): void {
  for (const method of methods)
    Object.defineProperty(object, method, {
      value: () => {
        refused.push(method)
        throw new Error(`${method}: a test that starts programs or opens sockets is named NAME.real.test.ts`)
      },
    })
}

refuse(childProcess, 'exec', 'execFile', 'execFileSync', 'execSync', 'fork', 'spawn', 'spawnSync')
refuse(createRequire(import.meta.url)('@lydell/node-pty'), 'spawn')
refuse(net.Server.prototype, 'listen')
refuse(net.Socket.prototype, 'connect')
syncBuiltinESMExports()

afterAll(() => {
  const [first] = refused.splice(0)
  if (first) throw new Error(`${first} was called: name this file NAME.real.test.ts`)
})
