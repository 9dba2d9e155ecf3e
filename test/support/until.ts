/** Waits for what must come, and fails with what was there instead. Nothing waits longer than it takes. */
import type { LiveSession, SessionSource } from '../../src/sessions/session-source.ts'

/** For those that never come. On a machine under load all takes ten times as long. */
const deadlineMs = 45_000

/** ms between two questions at most: what stands for a moment only is seen. */
const longestPauseMs = 100

/**
 * Asks again until the answer is right, half of the time at most: who is asked needs the processor as well. The longer it takes, the
 * rarer, so that an answer is noticed by a tenth of the time too late.
 */
export async function until<T>(
  ask: () => T | Promise<T>,
  isRight: (answer: T) => boolean,
  what = 'what was waited for',
): Promise<T> {
  const begin = performance.now()
  for (;;) {
    const from = performance.now()
    const answer = await ask()
    if (isRight(answer)) return answer
    const now = performance.now()
    if (now > begin + deadlineMs)
      throw new Error(`${what} did not come: ${JSON.stringify(answer)?.slice(0, 2000)}`)
    await new Promise(resolve =>
      setTimeout(resolve, Math.max(10, now - from, Math.min((now - begin) / 10, longestPauseMs))),
    )
  }
}

/** The session of a process, once it is as wanted. */
export async function sessionOf(
  live: SessionSource,
  pid: number,
  isRight: (session: LiveSession) => boolean = () => true,
): Promise<LiveSession> {
  const found = await until(
    async () => (await live.list()).find(session => session.pid === pid),
    session => session !== undefined && isRight(session),
    `the session of process ${pid}`,
  )
  return found as LiveSession
}

export const kindOf = ({ session }: LiveSession): string => session.verdict.state.kind
