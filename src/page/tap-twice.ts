/** For what can't be taken back: a tap counts once it comes twice. */
import { useEffect, useState } from 'preact/hooks'

/** A second tap counts after so long without one, so that taps that tremble are one. ms */
const steadyMs = 500
/** For so long it is waited for. ms */
const secondMs = 6000

/** @returns whether a second tap is waited for */
export function useTapTwice(act: () => void): { readonly isAsked: boolean; readonly tap: () => void } {
  const [tappedAt, setTapped] = useState<number | undefined>(undefined)
  useEffect(() => {
    if (tappedAt === undefined) return
    const timer = setTimeout(() => setTapped(undefined), secondMs)
    return () => clearTimeout(timer)
  }, [tappedAt])
  function tap(): void {
    const now = performance.now()
    const isSecond = tappedAt !== undefined && now - tappedAt > steadyMs
    setTapped(isSecond ? undefined : now)
    if (isSecond) act()
  }
  return { isAsked: tappedAt !== undefined, tap }
}
