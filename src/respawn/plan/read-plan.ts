/** A plan from its file, or from the command line. Every mistake is reported with its line and column. */
import path from 'node:path'
import { defined } from '../../core/defined.ts'
import { isLullError, LullError } from '../../core/lull-error.ts'
import { readPlainText } from '../../os/file/plain-file.ts'
import { readYaml } from '../../os/file/yaml-text.ts'
import type { AcceptRule } from '../accept/accept-fields.ts'
import { type JudgeConfig, readJudgeConfig } from '../judge/judge-config.ts'
import { heldIn, type PlanStep, type RespawnPlan, type StepAct, usualTimers } from './plan.ts'
import { type PlanFields, planFields } from './plan-fields.ts'

/** The plan, its judge and its accept rules. */
export type ReadPlan = {
  readonly plan: RespawnPlan
  readonly judge?: JudgeConfig
  readonly rules: readonly AcceptRule[]
  /** Where its files lie. */
  readonly folder: string
  /** What is allowed, and seldom meant. */
  readonly warnings: readonly string[]
}

/** Its parser needs more than linear time for some texts. */
const longest = 64 * 1024

/** @throws {LullError} BAD_PLAN with line and column; NOT_A_FILE */
export function readPlanFile(file: string): ReadPlan {
  const text = readPlainText(file)
  if (text.length > longest) throw bad(`${file}: is larger than ${longest / 1024} kB`)
  const yaml = readYaml(text, file, { what: 'the plan' })
  if ('wrong' in yaml) throw bad(yaml.wrong)
  const { value, where } = yaml
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw bad(`${where([])}: a plan must be fields, like steps: [{prompt: continue}]`)
  const read = planFields.safeParse(value)
  if (!read.success) {
    const [issue] = read.error.issues
    const unknown = issue?.code === 'unrecognized_keys' ? issue.keys[0] : undefined
    const at = [...(issue?.path ?? []), ...(unknown === undefined ? [] : [unknown])]
    const problem = unknown === undefined ? issue?.message : 'is no field that lull knows'
    throw bad(`${where(at)}: ${nameOf(at)} ${problem ?? 'is not as expected'}`)
  }
  return planOf(read.data, file, path.dirname(path.resolve(file)), () => where(['judge']))
}

export type PlanOptions = {
  /** The plan's file; or one prompt, which is a plan of one step. */
  readonly plan?: string
  readonly prompt?: string
  /** Overrides the file; durations in ms. */
  readonly for?: number
  readonly times?: number
  readonly held?: number
}

/** @throws {LullError} BAD_PLAN, NOT_A_FILE; USAGE where neither a plan nor a prompt is given, or both */
export function readPlan({ plan: file, prompt, for: time, times, held }: PlanOptions): ReadPlan {
  if ((file === undefined) === (prompt === undefined))
    throw new LullError('USAGE', 'a respawn wants a plan: give a plan’s file or a prompt')
  const read = file === undefined ? promptPlan(prompt ?? '') : readPlanFile(file)
  const plan = { ...read.plan, ...defined({ for: time, times }) }
  const timers = held === undefined ? plan.timers : heldIn(plan.timers, held)
  return { ...read, plan: { ...plan, timers }, warnings: warningsOf(plan) }
}

function promptPlan(prompt: string): ReadPlan {
  const read = planFields.safeParse({ steps: [{ prompt }] })
  if (read.success) return planOf(read.data, '--prompt', process.cwd(), () => '--prompt')
  throw bad(`the prompt ${read.error.issues[0]?.message}`)
}

function planOf(fields: PlanFields, name: string, folder: string, judgeAt: () => string): ReadPlan {
  const { unknown_reset, settled, held = settled, ...timers } = fields.timers
  const judge = fields.judge === undefined ? undefined : judgeOf(fields.judge, judgeAt)
  const plan: RespawnPlan = {
    name,
    steps: fields.steps.map(stepOf),
    ...defined({
      times: fields.times,
      for: fields.for,
      until: fields.until,
      maxCost: fields.max_cost,
      relaunch: fields.relaunch?.on_crash,
    }),
    timers: {
      ...heldIn(usualTimers, held ?? usualTimers.held),
      ...defined({ ...timers, unknownReset: unknown_reset }),
    },
    ignoresBackground: fields.ignore_background,
    recover: fields.recover,
    hasJudge: judge !== undefined,
    hasRules: fields.accept.length > 0,
  }
  return { plan, ...(judge ? { judge } : {}), rules: fields.accept, folder, warnings: warningsOf(plan) }
}

function stepOf({ when, unless, after, times, ...step }: PlanFields['steps'][number]): PlanStep {
  return { act: actOf(step), ...defined({ when, unless, after, times }) }
}

/** The schema has seen to it that there is one. */
function actOf({ prompt, command, keys, file, output }: Partial<PlanFields['steps'][number]>): StepAct {
  if (prompt !== undefined) return { do: 'prompt', text: prompt.trim() }
  if (command !== undefined) return { do: 'command', text: command.trim() }
  if (keys !== undefined) return { do: 'keys', keys }
  return file === undefined ? { do: 'output', command: output ?? '' } : { do: 'file', path: file }
}

function judgeOf(written: unknown, where: () => string): JudgeConfig {
  try {
    return readJudgeConfig(written)
  } catch (error) {
    if (isLullError(error)) throw bad(`${where()}: ${error.message}`)
    throw error
  }
}

/** Nothing ends it but a person, or the end of the agent. */
const isEndless = ({ times, for: time, until, maxCost, steps }: RespawnPlan): boolean =>
  [times, time, until, maxCost].every(end => end === undefined) &&
  steps.some(step => step.times === undefined)

const warningsOf = (plan: RespawnPlan): readonly string[] =>
  isEndless(plan)
    ? [`${plan.name}: nothing ends this plan: times, for, until or max_cost would (lull respawn stop does)`]
    : []

const bad = (sentence: string): LullError<'BAD_PLAN'> => new LullError('BAD_PLAN', sentence)

/** `steps[1].prompt` */
const nameOf = (at: readonly PropertyKey[]): string =>
  at.map((key, i) => (typeof key === 'number' ? `[${key}]` : `${i > 0 ? '.' : ''}${String(key)}`)).join('')
