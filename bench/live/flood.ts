/** Hooks sent as fast as they are taken, and one after the other. */
import http from 'node:http'

export type Flood = {
  readonly perSecond: number
  readonly p50: number
  readonly p95: number
  /** All that were sent, the first ones, which are not measured, among them. */
  readonly sent: number
}

const floodCount = 6000
const inFlight = 16
const aloneCount = 500
const firstCount = 200

/** @param pid whose hooks they are */
export async function floodHooks(socketPath: string, pid: number): Promise<Flood> {
  const agent = new http.Agent({ keepAlive: true, maxSockets: inFlight })
  const send = (number: number): Promise<void> =>
    new Promise((resolve, reject) => {
      const body = JSON.stringify({
        hook_event_name: number % 2 ? 'PostToolUse' : 'PreToolUse',
        session_id: 's',
        prompt_id: 'p',
        tool_name: 'Bash',
        tool_use_id: `toolu_${number}`,
        tool_input: { command: 'npm test' },
        tool_response: 'x'.repeat(1500),
      })
      const request = http.request(
        {
          socketPath,
          agent,
          method: 'POST',
          path: '/hooks/claude',
          headers: { 'content-type': 'application/json', 'content-length': body.length, 'lull-pid': pid },
        },
        response => {
          response.resume()
          response.on('end', () =>
            response.statusCode === 204 ? resolve() : reject(new Error(`${response.statusCode}`)),
          )
        },
      )
      request.on('error', reject)
      request.end(body)
    })
  for (let i = 0; i < firstCount; i++) await send(i)
  const alone: number[] = []
  for (let i = 0; i < aloneCount; i++) {
    const at = performance.now()
    await send(i)
    alone.push(performance.now() - at)
  }
  let next = 0
  const began = performance.now()
  await Promise.all(
    Array.from({ length: inFlight }, async () => {
      while (next < floodCount) await send(next++)
    }),
  )
  const perSecond = floodCount / ((performance.now() - began) / 1000)
  agent.destroy()
  alone.sort((a, b) => a - b)
  return {
    perSecond,
    sent: firstCount + aloneCount + floodCount,
    p50: alone[Math.floor(alone.length / 2)] ?? Number.NaN,
    p95: alone[Math.floor(alone.length * 0.95)] ?? Number.NaN,
  }
}
