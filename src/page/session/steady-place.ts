/**
 * What has just come into sight, or moved, takes no tap: a finger that was on its way meant what stood there before. So it is with a page
 * that another one brought to the front between two clicks.
 */
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks'

/** ms */
const settledMs = 700

/** @returns `place`: to be the `ref` of what must stand still */
export function useSettled() {
  const place = useRef<HTMLFieldSetElement>(null)
  const top = useRef<number | undefined>(undefined)
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined)
  const [isSettled, settle] = useState(false)
  function begin(): void {
    clearTimeout(timer.current)
    settle(false)
    timer.current = setTimeout(() => settle(true), settledMs)
  }
  useLayoutEffect(() => {
    if (place.current?.offsetTop !== top.current) begin()
    top.current = place.current?.offsetTop
  })
  useEffect(() => {
    addEventListener('focus', begin)
    document.addEventListener('visibilitychange', begin)
    return () => {
      removeEventListener('focus', begin)
      document.removeEventListener('visibilitychange', begin)
      clearTimeout(timer.current)
    }
  }, [])
  return { place, isSettled }
}
