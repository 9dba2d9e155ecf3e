/** `~/.config/lull/hosts.yaml`: boxes that need more than their name, and groups of boxes. Every mistake has its line. */
import path from 'node:path'
import { z } from 'zod'
import { LullError } from '../core/lull-error.ts'
import { configFolderOf, type Env, homeOf } from '../os/file/places.ts'
import { readOwnText } from '../os/file/plain-file.ts'
import { must, textField } from '../os/file/yaml-fields.ts'
import { readYaml } from '../os/file/yaml-text.ts'
import { checkBoxName, isBoxName } from './box-address.ts'

export type Box = {
  /** As ssh knows it. */
  readonly name: string
  /** How ssh is called: a program and its first arguments. */
  readonly ssh: readonly string[]
  /** How lull is called there; a shell there reads it. */
  readonly command: string
}

export type Hosts = {
  box(name: string): Box
  /** The boxes of a group; undefined where there is no such group. */
  group(name: string): readonly string[] | undefined
}

/** Characters. A thousand boxes have less. */
const longest = 64 * 1024
/** At one time: each is a process and a connection. */
const mostBoxes = 64

const nameField = z
  .string(must('the name of a box'))
  .refine(isBoxName, 'must be the name of a box: letters, digits, and . _ - after the first')
const sshField = z.array(textField, must('a list of words, like [ssh, -F, file]')).min(1, 'must not be empty')
const boxField = z
  .strictObject({ ssh: sshField.optional(), command: textField.optional() }, must('fields: ssh, command'))
  .nullable()
const hostsFields = z.strictObject(
  {
    ssh: sshField.optional(),
    boxes: z.record(nameField, boxField, must('boxes by their names')).nullish(),
    groups: z
      .record(textField, z.array(nameField, must('a list of boxes')), must('lists of boxes'))
      .nullish(),
  },
  must('fields: ssh, boxes, groups'),
)

/** @throws {LullError} BAD_HOSTS with line and column */
export function readHosts(env: Env): Hosts {
  const file = path.join(configFolderOf(env), 'hosts.yaml')
  // lull runs what it names.
  const own = readOwnText(file, longest) ?? { text: '' }
  if ('wrong' in own) throw new LullError('BAD_HOSTS', own.wrong)
  return readHostsText(own.text, file, homeOf(env))
}

/** @throws {LullError} BAD_HOSTS */
export function readHostsText(text: string, file: string, home: string): Hosts {
  const yaml = readYaml(text, file, { what: 'it' })
  if ('wrong' in yaml) throw new LullError('BAD_HOSTS', yaml.wrong)
  const read = hostsFields.safeParse(yaml.value ?? {})
  if (!read.success) {
    const [issue] = read.error.issues
    const unknown = issue?.code === 'unrecognized_keys' ? issue.keys.slice(0, 1) : []
    const at = [...(issue?.path ?? []), ...unknown]
    const what = unknown.length > 0 ? 'is no field that lull knows' : keyMistake(issue)
    throw new LullError(
      'BAD_HOSTS',
      `${yaml.where(at)}: ${at.map(part => `${String(part)} `).join('')}${what}`,
    )
  }
  const { ssh = ['ssh'], boxes, groups } = read.data
  const both = Object.keys(groups ?? {}).find(name => Object.hasOwn(boxes ?? {}, name))
  if (both !== undefined)
    throw new LullError(
      'BAD_HOSTS',
      `${yaml.where(['groups', both])}: ${both} is a box as well: rename the group`,
    )
  const ownOf = <T>(all: Readonly<Record<string, T>> | null | undefined, name: string): T | undefined =>
    all && Object.hasOwn(all, name) ? all[name] : undefined
  return {
    box(name) {
      const { ssh: words = ssh, command = 'lull' } = ownOf(boxes, name) ?? {}
      return { name, command, ssh: words.map(word => word.replace(/^~(?=\/)/, () => home)) }
    },
    group: name => ownOf(groups, name),
  }
}

/** A name that is none is an issue within the issue. */
const keyMistake = (issue: z.core.$ZodIssue | undefined): string =>
  (issue?.code === 'invalid_key' ? issue.issues[0]?.message : issue?.message) ?? 'is not allowed'

/**
 * The boxes that `--on` names: boxes and groups.
 * @throws {LullError} USAGE where a name is none, or there are none or too many
 */
export function boxesOn(names: readonly string[], hosts: Hosts): readonly Box[] {
  const all = names.flatMap(name => hosts.group(name) ?? [checkBoxName(name, '--on')])
  const boxes = [...new Set(all)].map(hosts.box)
  if (boxes.length === 0)
    throw new LullError('USAGE', '--on names no box: give one or more, like --on box1,box2')
  if (boxes.length > mostBoxes)
    throw new LullError('USAGE', `--on names ${boxes.length} boxes: ${mostBoxes} at a time are possible`)
  return boxes
}
