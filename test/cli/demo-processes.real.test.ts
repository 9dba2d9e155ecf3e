import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync, symlinkSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, test } from 'vitest'
import { bin, lull, temporaryFile, temporaryFolder } from '../support/lull.ts'
import { until } from '../support/until.ts'

type Command = {
  readonly name: string
  readonly pid: number
  readonly right: boolean
  readonly cause: string
}
type Table = { readonly right: boolean; readonly commands: readonly Command[] }

const lives = (pid: number): boolean =>
  existsSync(`/proc/${pid}`) && !/^\d+ \(.*\) Z/.test(readFileSync(`/proc/${pid}/stat`, 'utf8'))

/** The children of a process, those that are not being ended alone. */
const childrenOf = (pid: number): number[] =>
  readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ').filter(Boolean).map(Number)

describe.skipIf(process.platform !== 'linux')('demo --processes', () => {
  test('--once --json: all eight verdicts are right, and no process is left', async () => {
    const { code, stdout, stderr } = await lull(['demo', '--processes', '--once', '--json'])
    const table = JSON.parse(stdout) as Table
    expect(table.commands.filter(({ right }) => !right)).toEqual([])
    expect({ code, stderr, right: table.right }).toEqual({ code: 0, stderr: '', right: true })
    expect(table.commands).toHaveLength(8)
    await until(
      () => table.commands.filter(({ pid }) => lives(pid)),
      left => left.length === 0,
    )
  })

  test('a signal ends it with all that it started', async () => {
    const demo = spawn(process.execPath, [bin, 'demo', '--processes', '--once'], { stdio: 'ignore' })
    const pid = demo.pid as number
    const started = await until(
      () => childrenOf(pid),
      children => children.length >= 7,
    )
    demo.kill('SIGTERM')
    const [, signal] = (await once(demo, 'exit')) as [number | null, string | null]
    expect(signal).toBe('SIGTERM')
    await until(
      () => started.filter(lives),
      left => left.length === 0,
    )
  })
})

describe('doctor', () => {
  type Check = {
    readonly name: string
    readonly works: boolean
    readonly why?: string
    readonly lost: string
  }
  type Doctor = { readonly works: boolean; readonly groups: readonly { readonly checks: readonly Check[] }[] }
  const checksOf = (stdout: string): readonly Check[] =>
    (JSON.parse(stdout) as Doctor).groups.flatMap(({ checks }) => checks)

  test('tells of each ability whether it is there, and what is lost without it', async () => {
    const { code, stdout, stderr } = await lull(['doctor', '--json'])
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    for (const check of checksOf(stdout)) {
      expect(check.lost).not.toBe('')
      expect(check.why === undefined).toBe(check.works)
    }
  })

  test('a program that is missing, a folder that may not be written', async () => {
    const folder = temporaryFolder()
    symlinkSync('/bin/sleep', path.join(folder, 'sleep'))
    const env = { PATH: folder, XDG_STATE_HOME: temporaryFile('state', '') }
    const { code, stdout } = await lull(['doctor'], [], env)
    expect(code).toBe(0)
    expect(stdout).toMatch(/^ {2}✗ tmux: it is not on PATH; lost: .+$/m)
    expect(stdout).toMatch(/^ {2}✗ a folder for state: .*; lost: what the host remembers$/m)
    expect(stdout).toMatch(/\d+ of \d+ are missing; each line shows what lull cannot do without it\./)
  })
})
