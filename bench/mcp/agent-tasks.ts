/**
 * A real CLI with lull's MCP server, and a scripted model that calls its tools as a sensible model would: each call after the
 * answer before, so that a wrong state leads it astray. The tasks are what an agent meets: a build that asks, a password, a
 * pager, a REPL, another agent's permission.
 */
import { execFileSync } from 'node:child_process'
import path from 'node:path'
import type { LabCli } from '../../scripts/setup-lab.ts'
import type { Step } from '../lab/directive.ts'
import { startModel } from '../lab/model.ts'
import { runHeadless } from '../lab/run.ts'
import type { ModelRequest } from '../lab/truth.ts'
import { array, object } from '../lab/wire.ts'

const bin = path.resolve(import.meta.dirname, '../../bin/lull.js')

export type Task = { readonly name: string; readonly isRight: boolean; readonly answers: readonly string[] }

/** A call, and what has to be in its answer. `PANE` stands for the pane that the answer before named. */
type Call = {
  readonly tool: string
  readonly input: Readonly<Record<string, unknown>>
  readonly wants: readonly RegExp[]
}

/** Some CLIs pass the structured answer on, some the text. */
const state = (name: string): RegExp => new RegExp(`"state":"${name}"|^${name}\\b`, 'm')
const ready = state('ready')

const terminal = (input: Call['input'], ...wants: readonly RegExp[]): Call => ({
  tool: 'terminal',
  input,
  wants,
})
const send = (pane: string, text: string, ...wants: readonly RegExp[]): Call =>
  terminal({ action: 'send', pane, text, wait: true }, ...wants)

const build = 'echo compiling; sleep 1; read -p "Deploy? [y/N] " x; echo "deployed: $x"'

/** @param other the command line of another agent */
const tasksFor = (other: readonly string[]): Readonly<Record<string, readonly Call[]>> => ({
  'a build that asks [y/N]': [
    {
      tool: 'run',
      input: { command: ['bash', '-c', build] },
      wants: [state('question'), /Deploy\? \[y\/N\]/],
    },
    send('PANE', 'y', state('exited'), /exit[_ ]code"?:? ?0/, /deployed: y/),
  ],
  'a build that fails': [
    {
      tool: 'run',
      input: { command: ['bash', '-c', 'echo "1 error"; exit 2'] },
      wants: [state('exited'), /exit[_ ]code"?:? ?2/, /1 error/],
    },
  ],
  'a password': [
    terminal({ action: 'open', pane: 'shell', command: ['bash', '--norc'] }, ready),
    send('shell', 'read -s -p "Password: " x', state('password')),
    send('shell', 'hunter2', /asks for a password/),
    terminal({ action: 'keys', pane: 'shell', keys: 'C-c' }, /shell/),
    terminal({ action: 'wait_ready', pane: 'shell' }, ready),
  ],
  'a pager': [
    send('shell', 'seq 500 | less', state('pager')),
    terminal({ action: 'keys', pane: 'shell', keys: 'q' }, /shell/),
    terminal({ action: 'wait_ready', pane: 'shell' }, ready),
  ],
  'a REPL': [
    send('shell', 'python3 -q', ready),
    send('shell', '6 * 7', ready, /"42"|^42$/m),
    send('shell', 'exit()', ready),
  ],
  'a command that takes its time': [
    terminal({ action: 'send', pane: 'shell', text: 'sleep 3; echo finished' }, state('running')),
    terminal({ action: 'wait_ready', pane: 'shell', timeout: 1 }, /timeout|not reached in time/),
    terminal({ action: 'wait_ready', pane: 'shell' }, ready, /"finished"|^finished$/m),
    terminal({ action: 'close', pane: 'shell' }, /closed/),
  ],
  'another agent that asks for a permission': [
    terminal({ action: 'open', pane: 'helper', command: other }, /helper/),
    terminal({ action: 'wait_ready', pane: 'helper', timeout: 60 }, state('idle')),
    send('helper', '[[touch:one.txt]] please', state('waiting'), /permission/),
    { tool: 'answer', input: { session: 'helper' }, wants: [/permission/, /Yes/] },
    { tool: 'answer', input: { session: 'helper', choice: 'yes' }, wants: [/--allow-answer/] },
    terminal({ action: 'keys', pane: 'helper', keys: 'Enter' }, /shows a dialog, which a person answers/),
    terminal({ action: 'close', pane: 'helper' }, /closed/),
  ],
})

/** What the last call answered, as the CLI passed it on to its model. */
function lastAnswer({ body }: ModelRequest): string {
  const results = array(body.messages)
    .map(message =>
      array(object(message).content)
        .map(object)
        .filter(({ type }) => type === 'tool_result'),
    )
    .findLast(all => all.length > 0)
  if (results) return results.map(({ content }) => textOf(content)).join('\n')
  const output = array(body.input)
    .map(object)
    .findLast(({ type }) => `${type}`.endsWith('_output'))
  return textOf(output?.output)
}

function textOf(content: unknown): string {
  if (typeof content !== 'string')
    return array(content)
      .map(part => textOf(object(part).text ?? ''))
      .join('\n')
  // Codex passes JSON: the structured answer, or a list of parts.
  try {
    const value: unknown = JSON.parse(content.replace(/^Wall time: [\s\S]*?Output:\n/, ''))
    return typeof value === 'string' ? value : JSON.stringify(value)
  } catch {
    return content
  }
}

/** Plays all tasks in one turn of the CLI; the other agent is another one of it. */
export async function playTasks(cli: LabCli, flags: readonly string[]): Promise<readonly Task[]> {
  let calls: readonly (Call & { readonly task: string })[] = []
  const played = new Map<string, { isRight: boolean; answers: string[] }>()
  let pane = ''
  let at = -1

  function script(request: ModelRequest): Step | undefined {
    // The other agent talks to the same model.
    if (request.directive !== undefined) return undefined
    if (at >= 0) take(calls[at], lastAnswer(request))
    at++
    const next = calls[at]
    if (!next) return { say: 'All tasks are done.' }
    const input = Object.fromEntries(
      Object.entries(next.input).map(([name, value]) => [name, value === 'PANE' ? pane : value]),
    )
    return { call: { tool: 'mcp', name: next.tool, input } }
  }

  function take(call: (Call & { readonly task: string }) | undefined, answer: string): void {
    if (!call) return
    pane = /pane (run-\w+)/.exec(answer)?.[1] ?? /"pane":"(run-\w+)"/.exec(answer)?.[1] ?? pane
    const of = played.get(call.task) ?? { isRight: true, answers: [] }
    const plain = answer.replaceAll('\\n', '\n').replaceAll('\\"', '"')
    const isRight = call.wants.every(wanted => wanted.test(plain))
    played.set(call.task, {
      isRight: of.isRight && isRight,
      answers: [...of.answers, `${isRight ? 'ok' : 'WRONG'}: ${plain.slice(0, 300)}`],
    })
  }

  const model = await startModel({ script })
  try {
    const run = await runHeadless(cli, 'use your tools', {
      model,
      flags,
      // Else Claude Code offers the tools of servers only to a model that searches for them.
      env: { ENABLE_TOOL_SEARCH: 'false' },
      before(place, env, agent) {
        // Servers get little of their client's environment, and what they open gets theirs.
        const variables = Object.entries(env).map(([name, value]) => `${name}=${value}`)
        const other = ['env', ...variables, ...agent.command]
        calls = Object.entries(tasksFor(other)).flatMap(([task, all]) => all.map(call => ({ ...call, task })))
        execFileSync(process.execPath, [bin, 'mcp', 'install', cli], {
          env: { ...env, PATH: '/usr/bin:/bin' },
          cwd: place.work,
        })
      },
    })
    if (played.size === 0)
      throw new Error(`${cli} called no tool: ${run.stderr.slice(-500)}${run.stdout.slice(-500)}`)
    return [...new Set(calls.map(({ task }) => task))].map(name => {
      const done = played.get(name)
      const wanted = calls.filter(({ task }) => task === name).length
      return {
        name,
        isRight: done?.isRight === true && done.answers.length === wanted,
        answers: done?.answers ?? [],
      }
    })
  } finally {
    await model.close()
  }
}
