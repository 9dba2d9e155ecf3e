/** How often a host complains in its log. */

/** @param of `requests`: what anybody may cause who reaches a port; `host` where not given */
export type Complain = (sentence: string, of?: 'host' | 'requests') => void

const mostComplaints = 20
const complaintsEveryMs = 60_000

/**
 * A flood of bad hooks must not become a flood of log lines, nor one of bad requests keep all else out of the log.
 * @returns complains, of each kind so often
 */
export function sparingly(write: (sentence: string) => void, now = () => performance.now()): Complain {
  const quotas = { host: { count: 0, since: now() }, requests: { count: 0, since: now() } }
  return (sentence, of = 'host') => {
    const quota = quotas[of]
    if (now() > quota.since + complaintsEveryMs) {
      if (quota.count > mostComplaints) write(`… and ${quota.count - mostComplaints} more like these`)
      Object.assign(quota, { count: 0, since: now() })
    }
    quota.count++
    if (quota.count <= mostComplaints) write(sentence)
  }
}
