/** Lists of agents and commands, in helps and on pages, are those of the program: each is in them, and nothing else. */
import { describe, expect, test } from 'vitest'
import { agentNames, hookedNames } from '../../src/agents/agent-names.ts'
import { agents } from '../../src/agents/registry.ts'
import { lullHere } from '../support/lull-here.ts'
import { pages, textOf } from '../support/markdown.ts'

const all = Object.values(agents)
const hooked = hookedNames.map(name => agents[name])

/** The first cells of the table that begins with this one. */
function firstCells(page: string, head: string): string[] {
  const lines = textOf(page).split('\n')
  const from = lines.findIndex(line => line.startsWith(`| ${head} `))
  expect(from, `${page}: a table that begins with ${head}`).toBeGreaterThanOrEqual(0)
  const rows = lines.slice(from + 2)
  const end = rows.findIndex(line => !line.startsWith('|'))
  return rows.slice(0, end < 0 ? rows.length : end).map(row => (row.split('|')[1] as string).trim())
}

describe('agents', () => {
  test('a name stands for one agent, and in the list', () => {
    expect(Object.keys(agents)).toEqual([...agentNames])
    for (const [name, agent] of Object.entries(agents)) expect(agent.name).toBe(name)
  })

  test('docs/agents.md has a row for each, and for those of which only the screen is read, on what it was checked', () => {
    expect(firstCells('docs/agents.md', 'agent')).toEqual(hooked.map(({ title }) => title))
    const others = all.filter(({ hooks }) => !hooks)
    expect(firstCells('docs/agents.md', 'by its screen alone')).toEqual(others.map(({ title }) => title))
    const rows = textOf('docs/agents.md').split('\n')
    for (const { title, screens } of others)
      expect(rows.find(row => row.startsWith(`| ${title} `))).toContain(
        screens.version ?? `unverified: ${screens.unverified}`,
      )
  })

  test('one whose facts were never checked where it runs says so, and is at rest by no rule that all share', () => {
    for (const { screens } of all) {
      expect((screens.version === undefined) !== (screens.unverified === undefined)).toBe(true)
      if (screens.unverified !== undefined) expect(screens.hidesWork).toBe(true)
    }
  })

  test('docs/hooks.md has a row for each, with the file that is written', () => {
    expect(firstCells('docs/hooks.md', 'agent').sort()).toEqual(hookedNames.toSorted())
    const rows = textOf('docs/hooks.md').split('\n')
    for (const { name, hooks } of hooked)
      expect(rows.find(row => row.startsWith(`| ${name} `))).toContain(`\`~/${hooks.user.path}`)
  })

  test('corpus/README.md has a row for each', () => {
    expect(firstCells('corpus/README.md', 'folder')).toEqual(hookedNames.map(name => `\`${name}\``))
  })

  test('docs/loop.md has the option by which each prints rows', () => {
    for (const { headless } of hooked) expect(textOf('docs/loop.md')).toContain(headless.rows[0])
  })

  test('the front page names each', () => {
    for (const { title } of all) expect(textOf('README.md').replaceAll(/\s+/g, ' ')).toContain(title)
  })

  test('a help that lists them has them all', async () => {
    for (const verb of ['install', 'uninstall'])
      expect((await lullHere(['hooks', verb, '--help'])).stdout).toContain(hookedNames.join(', '))
  })
})

describe('commands', () => {
  const prose = pages
    .filter(page => page.startsWith('docs/'))
    .map(textOf)
    .join('\n')

  test('each stands on a page', async () => {
    const { stdout } = await lullHere(['--help'])
    const commands = [...stdout.matchAll(/^ {2}([a-z]+)(?: |$)/gm)].map(([, name]) => name as string)
    const names = commands.filter(name => name !== 'help')
    expect(names.length).toBeGreaterThan(15)
    expect(names.filter(name => !new RegExp(`\\blull ${name}\\b`).test(prose))).toEqual([])
  })
})
