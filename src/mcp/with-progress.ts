/** Tells a client that a wait goes on, so that it does not take silence for an end. */
import type { ServerContext } from '@modelcontextprotocol/server'

/** Clients give up after a minute of silence, some after 30 s. */
const everyMs = 5000

/** @param doing what is waited for, as a clause */
export async function withProgress<T>(
  { mcpReq }: Pick<ServerContext, 'mcpReq'>,
  doing: string,
  wait: () => Promise<T>,
): Promise<T> {
  const progressToken = mcpReq._meta?.progressToken
  if (progressToken === undefined) return wait()
  const begun = performance.now()
  const timer = setInterval(() => {
    const seconds = Math.round((performance.now() - begun) / 1000)
    const params = { progressToken, progress: seconds, message: `${doing} for ${seconds} s` }
    void mcpReq.notify({ method: 'notifications/progress', params }).catch(() => undefined)
  }, everyMs)
  try {
    return await wait()
  } finally {
    clearInterval(timer)
  }
}
