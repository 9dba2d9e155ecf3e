/** Replaces vitest while mutants are tried: it collects tests, and the runner decides when to run them and how often. */
export { expect } from 'vitest'

export type CollectedTest = {
  readonly file: string
  readonly name: string
  readonly run: () => unknown
}

type Body = (...row: never[]) => unknown

let file = ''
let groups: readonly string[] = []
let tests: CollectedTest[] = []

/** The tests of a file that is loaded meanwhile. */
export async function collect(from: string, load: () => Promise<unknown>): Promise<readonly CollectedTest[]> {
  ;[file, groups, tests] = [from, [], []]
  await load()
  return tests
}

function addGroup(name: string, body: () => unknown): void {
  const above = groups
  groups = [...above, name]
  body()
  groups = above
}

function addTest(name: string, run: () => unknown): void {
  const full = [...groups, name].join(' > ')
  const same = tests.filter(test => test.name === full || test.name.startsWith(`${full} #`)).length
  tests.push({ file, name: same === 0 ? full : `${full} #${same + 1}`, run })
}

/** A body for each row of a table: of a list its values, of anything else the row. */
const forRows =
  (add: (name: string, run: () => unknown) => void) =>
  (rows: readonly unknown[]) =>
  (name: string, body: Body): void => {
    for (const row of rows) add(name, () => body(...((Array.isArray(row) ? row : [row]) as never[])))
  }

export const describe = Object.assign(addGroup, { each: forRows(addGroup) })
export const test = Object.assign(addTest, { each: forRows(addTest) })

/** What is cleared up after tests that start programs: none of these does. */
const nothing = (): void => {}

export {
  nothing as afterAll,
  nothing as afterEach,
  nothing as beforeAll,
  nothing as beforeEach,
  nothing as vi,
}
