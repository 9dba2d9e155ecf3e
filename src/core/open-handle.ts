/** What has to be closed, and then refuses to do anything more. */
import { type Checks, checkValues } from './check-values.ts'
import { LullError } from './lull-error.ts'

/** @param closed what to say then: what was closed, and what to do instead */
export function openHandle(closed: string) {
  let isClosed = false

  /**
   * First of all in each call.
   * @throws {LullError} CLOSED once it is closed; USAGE as `checkValues` does
   */
  function enter(call: string, values: readonly unknown[] = [], checks: Checks = {}): void {
    if (isClosed) throw new LullError('CLOSED', `${call}: ${closed}`)
    checkValues(call, values, checks)
  }

  /** Methods that do so, and reject where that throws. */
  function guard<Methods extends object>(methods: Methods, checks: Readonly<Record<keyof Methods, Checks>>) {
    const guarded = Object.entries(methods).map(([name, method]) => [
      name,
      async (...given: unknown[]) => {
        enter(name, given, checks[name as keyof Methods])
        return method(...given)
      },
    ])
    return Object.fromEntries(guarded) as Methods
  }

  return {
    enter,
    guard,
    close() {
      isClosed = true
    },
  }
}
