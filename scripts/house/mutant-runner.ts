/**
 * A test runner for Stryker: the tests of a room in Stryker's own process, without vitest around them. A fault is tried in
 * the time that its tests take; one in what runs when a module is loaded, with all modules loaded anew.
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
const stripped = new Map<string, string>()

function hookModules(sandbox: string): void {
  const inside = pathToFileURL(`${sandbox}/`).href
  registerHooks({
    resolve(specifier, found, next) {
      if (!found.parentURL?.startsWith(inside)) return next(specifier, found)
      if (specifier === 'vitest') return { url: vitest, shortCircuit: true }
      const { url, ...more } = next(specifier, found)
      return { ...more, url: url.startsWith(inside) && url.endsWith('.ts') ? `${url}?${loading}` : url }
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

class MutantRunner implements TestRunner {
  #tests: readonly CollectedTest[] = []

  capabilities() {
    return { reloadEnvironment: true }
  }

  async init(): Promise<void> {
    hookModules(process.cwd())
  }

  async #load(): Promise<void> {
    loading++
    const room = mutatedRooms.find(({ name }) => name === process.env.LULL_MUTATED_ROOM)
    const tests: CollectedTest[] = []
    for (const file of globSync([...(room?.tests ?? [])]).sort())
      tests.push(
        ...(await collect(file, () => import(`${pathToFileURL(path.resolve(file)).href}?${loading}`))),
      )
    this.#tests = tests
  }

  async dryRun(): Promise<DryRunResult> {
    await this.#load()
    const tests = await this.#run(this.#tests, false)
    const mutantCoverage = context.mutantCoverage ?? { static: {}, perTest: {} }
    return { status: DryRunStatus.Complete, tests, mutantCoverage }
  }

  async mutantRun(options: MutantRunOptions): Promise<MutantRunResult> {
    const { activeMutant, testFilter, hitLimit, mutantActivation, reloadEnvironment, disableBail } = options
    context.hitCount = 0
    context.hitLimit = hitLimit
    try {
      context.activeMutant = mutantActivation === 'static' ? activeMutant.id : undefined
      if (reloadEnvironment || this.#tests.length === 0) await this.#load()
      context.activeMutant = activeMutant.id
      const meant = testFilter && new Set(testFilter)
      const tests = await this.#run(
        this.#tests.filter(test => !meant || meant.has(idOf(test))),
        !disableBail,
      )
      const timeout = determineHitLimitReached(context.hitCount, hitLimit)
      return toMutantRunResult(timeout ?? { status: DryRunStatus.Complete, tests })
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
        await test.run()
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
