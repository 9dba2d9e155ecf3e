/** hosts.yaml: what it gives, and a sentence for each mistake: where, what, and what would be right. */
import { describe, expect, test } from 'vitest'
import { boxesOn, readHostsText } from '../../src/fleet/read-hosts.ts'
import { answerTo } from '../support/answer-to.ts'

const read = (text: string) => readHostsText(text, 'hosts.yaml', '/home/me')

describe('hosts.yaml', () => {
  test('gives boxes their ssh and their command, and groups their boxes', () => {
    const hosts = read(`
ssh: [ssh, -F, ~/.ssh/fleet]
boxes:
  box1:
  box2: { command: /opt/lull, ssh: [ssh, -J, gate] }
groups: { work: [box1, box2, box3] }
`)
    expect(boxesOn(['work', 'box2', 'box4'], hosts)).toEqual([
      { name: 'box1', ssh: ['ssh', '-F', '/home/me/.ssh/fleet'], command: 'lull' },
      { name: 'box2', ssh: ['ssh', '-J', 'gate'], command: '/opt/lull' },
      { name: 'box3', ssh: ['ssh', '-F', '/home/me/.ssh/fleet'], command: 'lull' },
      { name: 'box4', ssh: ['ssh', '-F', '/home/me/.ssh/fleet'], command: 'lull' },
    ])
  })

  test('may be empty, or not there', () => {
    expect(boxesOn(['box1'], read(''))).toEqual([{ name: 'box1', ssh: ['ssh'], command: 'lull' }])
  })

  test('has no box by a name that every object has', () => {
    expect(boxesOn(['constructor', 'toString'], read('boxes: {}')).map(({ command }) => command)).toEqual([
      'lull',
      'lull',
    ])
  })

  test.each([
    ['ssh: ssh', 'hosts.yaml:1:6: ssh must be a list of words, like [ssh, -F, file]'],
    ['ssh: []', 'hosts.yaml:1:6: ssh must not be empty'],
    ['boxes: [a]', 'hosts.yaml:1:8: boxes must be boxes by their names'],
    ['boxes:\n  box1: { comand: x }', 'hosts.yaml:2:19: boxes box1 comand is no field that lull knows'],
    ['boxes:\n  box1: lull', 'hosts.yaml:2:9: boxes box1 must be fields: ssh, command'],
    ['boxes:\n  box1: { command: 5 }', 'hosts.yaml:2:20: boxes box1 command must be a text'],
    [
      'boxes:\n  -oX: {}',
      'hosts.yaml:2:8: boxes -oX must be the name of a box: letters, digits, and . _ - after the first',
    ],
    [
      'groups:\n  work: [a b]',
      'hosts.yaml:2:10: groups work 0 must be the name of a box: letters, digits, and . _ - after the first',
    ],
    ['groups:\n  work: a', 'hosts.yaml:2:9: groups work must be a list of boxes'],
    ['boxes: { a: }\ngroups: { a: [b] }', 'hosts.yaml:2:14: a is a box as well: rename the group'],
    ['hosts: {}', 'hosts.yaml:1:8: hosts is no field that lull knows'],
    ['- a', 'hosts.yaml: must be fields: ssh, boxes, groups'],
    ['a: [', /^hosts\.yaml:1:\d+: not YAML: /],
  ])('that is %j gets a sentence', async (text, sentence) => {
    const answer = await answerTo(async () => read(text))
    if (typeof sentence === 'string') expect(answer).toBe(`BAD_HOSTS ${sentence}`)
    else expect(answer.replace('BAD_HOSTS ', '')).toMatch(sentence)
  })
})

describe('--on', () => {
  test.each([
    [['-oProxyCommand=x'], /^USAGE --on: "-oProxyCommand=x" is no name of a box/],
    [['a;b'], /^USAGE --on: "a;b" is no name of a box/],
    [[], /^USAGE --on names no box/],
    [
      Array.from({ length: 65 }, (_, n) => `box${n}`),
      /^USAGE --on names 65 boxes: 64 at a time are possible/,
    ],
  ])('%j is refused', async (names, sentence) => {
    expect(await answerTo(async () => boxesOn(names, read('')))).toMatch(sentence)
  })
})
