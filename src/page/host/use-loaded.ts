/** What the API has for a view, for as long as the view is open. */
import { useEffect, useState } from 'preact/hooks'

type Loaded<T> = {
  /** The last that came. */
  readonly loaded: T | undefined
  /** Why nothing newer came. */
  readonly problem: string | undefined
}

/**
 * @param load asked at once, and again after `everyMs`, where it is given. Undefined: nothing new.
 * @param what another one begins anew
 */
export function useLoaded<T>(
  what: string,
  load: (signal: AbortSignal) => Promise<T | undefined>,
  everyMs?: number,
): Loaded<T> {
  const [loaded, setLoaded] = useState<T | undefined>(undefined)
  const [problem, setProblem] = useState<string | undefined>(undefined)
  useEffect(() => {
    const leave = new AbortController()
    let timer: ReturnType<typeof setTimeout> | undefined
    async function look(): Promise<void> {
      try {
        const next = await load(leave.signal)
        if (next !== undefined) setLoaded(next)
        setProblem(undefined)
      } catch (error) {
        if (leave.signal.aborted) return
        setProblem((error as Error).message)
      }
      if (everyMs !== undefined && !leave.signal.aborted) timer = setTimeout(() => void look(), everyMs)
    }
    void look()
    return () => {
      leave.abort()
      clearTimeout(timer)
    }
  }, [what])
  return { loaded, problem }
}
