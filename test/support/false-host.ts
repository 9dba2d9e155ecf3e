/** A process that holds a host's lock and answers on its socket, as the test wants it to. */
import { spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { endWithTest } from './end-with-test.ts'
import { until } from './until.ts'

const source = (file: string): string => fileURLToPath(new URL(`../../src/${file}`, import.meta.url))

export type FalseHost = {
  readonly pid: number
  /** The requests that it took. */
  taken(): number
  hasEnded(): boolean
}

/**
 * @param folder its runtime folder, which exists
 * @param answer a function body of JavaScript, of `request`, `response` and `url`
 */
export async function falseHost(
  folder: string,
  answer: string,
  { locks = true }: { readonly locks?: boolean } = {},
): Promise<FalseHost> {
  const lock = `const { acquireLock } = await import(${JSON.stringify(source('os/file/lock.ts'))}); acquireLock(folder + '/host.lock')`
  const script = `
    const folder = ${JSON.stringify(folder)}
    const http = await import('node:http')
    ${locks ? lock : ''}
    http.createServer((request, response) => {
      const { url } = request
      if (url.startsWith('/hooks')) {
        request.resume().on('end', () => { process.stdout.write('.'); response.writeHead(204).end() })
        return
      }
      ${answer}
    }).listen(folder + '/host.sock', () => process.stdout.write('up '))`
  const child = spawn(process.execPath, ['--input-type=module', '-e', script], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  endWithTest(child)
  let printed = ''
  child.stdout?.on('data', piece => {
    printed += piece
  })
  await until(
    () => printed,
    text => text.startsWith('up'),
  )
  return {
    pid: child.pid as number,
    taken: () => printed.length - 'up '.length,
    hasEnded: () => child.exitCode !== null || child.signalCode !== null,
  }
}

/** What a host of some protocol says first. */
export const greets = (protocol: number | undefined, version = '9.9.9'): string =>
  `if (url === '/v1/status') return response.end(JSON.stringify({ pid: process.pid, version: '${version}', protocol: ${protocol}, startedAt: '', sessions: 0, hooks: { received: 0, refused: 0, unauthorised: 0, unplaced: 0 } }))`
