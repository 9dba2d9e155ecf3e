/**
 * A test runner for Stryker: the tests of a room in Stryker's own process, without vitest around them. A fault is tried by
 * the test files that load its file, the nearest first, until a test fails; one in what runs when a module is loaded, with
 * the modules of each such test file loaded anew.
 */
import { globSync, readFileSync } from 'node:fs'
import { registerHooks, stripTypeScriptTypes } from 'node:module'
import path from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { INSTRUMENTER_CONSTANTS, type InstrumenterContext } from '@stryker-mutator/api/core'
import { declareClassPlugin, PluginKind } from '@stryker-mutator/api/plugin'
import {
  type DryRunResult,
  DryRunStatus,
  determineHitLimitReached,
  type MutantRunOptions,
  type MutantRunResult,
  type TestResult,
  type TestRunner,
  TestStatus,
  toMutantRunResult,
} from '@stryker-mutator/api/test-runner'
import { type CollectedTest, collect } from './mutant-tests.ts'
import { mutatedRooms } from './mutated-rooms.ts'

/** Faults are switched on in here, and count what is run: the instrumented code reads it. */
const context: { -readonly [Key in keyof InstrumenterContext]?: InstrumenterContext[Key] | undefined } = {}
Object.assign(globalThis, { [INSTRUMENTER_CONSTANTS.NAMESPACE]: context })

const vitest = new URL('./mutant-tests.ts', import.meta.url).href

/** Each loading of the modules has a number, so that Node takes them for others. */
let loading = 0
/** Who imports a file, by path. */
const importers = new Map<string, Set<string>>()
const stripped = new Map<string, string>()

function hookModules(sandbox: string): void {
  const inside = pathToFileURL(`${sandbox}/`).href
  registerHooks({
    resolve(specifier, found, next) {
      if (!found.parentURL?.startsWith(inside)) return next(specifier, found)
      if (specifier === 'vitest') return { url: vitest, shortCircuit: true }
      const { url, ...more } = next(specifier, found)
      if (!url.startsWith(inside) || !url.endsWith('.ts')) return { ...more, url }
      const file = fileURLToPath(url)
      importers.set(file, (importers.get(file) ?? new Set()).add(fileURLToPath(found.parentURL)))
      return { ...more, url: `${url}?${loading}` }
    },
    load(url, found, next) {
      if (!url.startsWith(inside)) return next(url, found)
      const file = fileURLToPath(url)
      const source = stripped.get(file) ?? codeOf(file)
      stripped.set(file, source)
      return { format: 'module', source, shortCircuit: true }
    },
  })
}

/** A property is tried thousands of times elsewhere; here each of thousands of faults tries it. */
const codeOf = (file: string): string =>
  stripTypeScriptTypes(readFileSync(file, 'utf8').replaceAll(/numRuns: \d+/g, 'numRuns: 30, seed: 1'))

/** All that a file is loaded by, the nearest first. */
function loadedBy(file: string): readonly string[] {
  const found = new Set([file])
  for (const one of found) for (const importer of importers.get(one) ?? []) found.add(importer)
  return [...found]
}

class MutantRunner implements TestRunner {
  #files: readonly string[] = []
  /** The tests of the test files that were loaded since the modules were forgotten. */
  readonly #loaded = new Map<string, readonly CollectedTest[]>()

  capabilities() {
    return { reloadEnvironment: true }
  }

  async init(): Promise<void> {
    hookModules(process.cwd())
    const room = mutatedRooms.find(({ name }) => name === process.env.LULL_MUTATED_ROOM)
    this.#files = globSync([...(room?.tests ?? [])]).sort()
    // Shows which of them loads what.
    for (const file of this.#files) await this.#load(file)
  }

  async #load(file: string): Promise<readonly CollectedTest[]> {
    const known = this.#loaded.get(file)
    if (known) return known
    const tests = await collect(file, () => import(`${pathToFileURL(path.resolve(file)).href}?${loading}`))
    this.#loaded.set(file, tests)
    return tests
  }

  #forgetModules(): void {
    loading++
    this.#loaded.clear()
  }

  async dryRun(): Promise<DryRunResult> {
    const tests: TestResult[] = []
    for (const file of this.#files) tests.push(...(await this.#run(await this.#load(file), false)))
    const mutantCoverage = context.mutantCoverage ?? { static: {}, perTest: {} }
    return { status: DryRunStatus.Complete, tests, mutantCoverage }
  }

  async mutantRun(options: MutantRunOptions): Promise<MutantRunResult> {
    const { activeMutant, testFilter, hitLimit, mutantActivation, reloadEnvironment, disableBail } = options
    context.hitCount = 0
    context.hitLimit = hitLimit
    const whileLoading = mutantActivation === 'static' ? activeMutant.id : undefined
    if (reloadEnvironment || whileLoading !== undefined) this.#forgetModules()
    const near = loadedBy(options.sandboxFileName)
    const files = near
      .map(file => path.relative(process.cwd(), file))
      .filter(file => this.#files.includes(file))
    const meant = testFilter && new Set(testFilter)
    const results: TestResult[] = []
    try {
      for (const file of files) {
        context.activeMutant = whileLoading
        const tests = await this.#load(file)
        context.activeMutant = activeMutant.id
        results.push(
          ...(await this.#run(
            tests.filter(test => !meant || meant.has(idOf(test))),
            !disableBail,
          )),
        )
        if (!disableBail && results.at(-1)?.status === TestStatus.Failed) break
      }
      const timeout = determineHitLimitReached(context.hitCount, hitLimit)
      return toMutantRunResult(timeout ?? { status: DryRunStatus.Complete, tests: results })
    } catch (error) {
      // A fault that keeps a module from being loaded is noticed by whoever loads it.
      return toMutantRunResult({
        status: DryRunStatus.Complete,
        tests: [failed({ file: '', name: 'the modules are loaded', run: () => {} }, 0, error)],
      })
    } finally {
      context.activeMutant = undefined
    }
  }

  async #run(tests: readonly CollectedTest[], stopsAtFailure: boolean): Promise<TestResult[]> {
    const results: TestResult[] = []
    for (const test of tests) {
      const began = performance.now()
      context.currentTestId = idOf(test)
      try {
        const running = test.run()
        if (running instanceof Promise) await Promise.race([running, hanging()])
        results.push({
          ...resultOf(test, performance.now() - began),
          status: TestStatus.Success,
        })
      } catch (error) {
        results.push(failed(test, performance.now() - began, error))
        if (stopsAtFailure) break
      } finally {
        context.currentTestId = undefined
      }
    }
    return results
  }
}

/** A test that waits for what never comes has noticed the fault. One that runs all that time is left to Stryker. */
const hanging = (): Promise<never> =>
  new Promise((_, reject) =>
    setTimeout(reject, patienceMs, new Error('it waits for what never comes')).unref(),
  )
const patienceMs = 3000

const idOf = ({ file, name }: CollectedTest): string => `${file}#${name}`

const resultOf = (test: CollectedTest, timeSpentMs: number) => ({
  id: idOf(test),
  name: test.name,
  fileName: path.resolve(test.file),
  timeSpentMs,
})

const failed = (test: CollectedTest, timeSpentMs: number, error: unknown): TestResult => ({
  ...resultOf(test, timeSpentMs),
  status: TestStatus.Failed,
  failureMessage: error instanceof Error ? error.message : String(error),
})

export const strykerPlugins = [declareClassPlugin(PluginKind.TestRunner, 'lull', MutantRunner)]
