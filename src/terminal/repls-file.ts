/** Reads `repls.yaml`, in which people describe REPLs that lull does not know, or knows otherwise. */
import { z } from 'zod'
import { oneLine } from '../core/text/printable.ts'
import { readOwnText } from '../os/file/plain-file.ts'
import { must } from '../os/file/yaml-fields.ts'
import { readYaml } from '../os/file/yaml-text.ts'
import { readPattern } from '../os/linear-pattern.ts'
import type { Repl } from './classify/repl/repl-rows.ts'

const largest = 64 * 1024

/** @returns the rows, or sentences that name the file, and the line where there is one; undefined where there is no such file */
export function readReplsFile(
  file: string,
): { readonly rows: readonly Repl[] } | { readonly mistakes: readonly string[] } | undefined {
  const own = readOwnText(file, largest)
  if (!own) return undefined
  if ('wrong' in own) return { mistakes: [own.wrong] }
  const yaml = readYaml(own.text, file, { what: 'it' })
  if ('wrong' in yaml) return { mistakes: [yaml.wrong] }
  const read = readRows(yaml.value)
  if ('rows' in read) return read
  return { mistakes: read.mistakes.map(({ path, sentence }) => `${yaml.where(path)}: ${sentence}`) }
}

/** What is wrong, and at which field. */
type Mistake = { readonly path: readonly PropertyKey[]; readonly sentence: string }

const nameText = "a program's name without folder and version, like mytool"
const name = z.string(must(nameText)).regex(/^[^\s/]{1,64}$/, `must be ${nameText}`)

const pattern = z
  .string(must('a regular expression, like ^mytool> '))
  .max(500, 'is longer than 500 characters')
  .regex(/^\^/, 'must begin with ^: it is held against the whole line up to the cursor')

const option = z
  .string(must('an option, like --quiet or --path DIR'))
  .regex(/^-\S*(?: \S+)?$/, 'must be an option, like --quiet, or --path DIR where a word follows')

const row = z.strictObject(
  {
    programs: z.array(name, must('a list of names')).min(1, 'must have a name'),
    prompt: pattern,
    continuation: pattern.optional(),
    arguments: z.union([z.literal('any'), z.array(option)], must('any, or a list of options')).default([]),
    reads: z.enum(['keys', 'lines'], must('keys or lines')).optional(),
  },
  must('a mapping of programs and prompt'),
)

const mostRows = 200
const file = z
  .array(row, must('a list of REPLs, each with programs and prompt'))
  .max(mostRows, `has more than ${mostRows} REPLs`)

/** Lines that are no prompt of a REPL: who matches them would be ready while it asks. */
const noPrompts: readonly (readonly [line: string, what: string])[] = [
  ['', 'an empty line'],
  ['Continue? [y/N] ', 'the question "Continue? [y/N] "'],
  ['Password: ', 'the question "Password: "'],
]

function readRows(
  value: unknown,
): { readonly rows: readonly Repl[] } | { readonly mistakes: readonly Mistake[] } {
  const read = file.safeParse(value ?? [])
  if (!read.success) return { mistakes: read.error.issues.map(mistakeOf) }
  const mistakes: Mistake[] = []
  const compiled = (text: string, path: readonly PropertyKey[]): RegExp | undefined => {
    try {
      return readPattern(text)
    } catch (error) {
      mistakes.push({ path, sentence: `${fieldAt(path)}: ${(error as Error).message}` })
      return undefined
    }
  }
  const rows = read.data.flatMap((one, at): Repl[] => {
    const prompt = compiled(one.prompt, [at, 'prompt'])
    const continuation =
      one.continuation === undefined ? undefined : compiled(one.continuation, [at, 'continuation'])
    const [, what] = noPrompts.find(([line]) => prompt?.test(line)) ?? []
    if (what !== undefined)
      mistakes.push({
        path: [at, 'prompt'],
        sentence: `${fieldAt([at, 'prompt'])} also matches ${what}: write out what the prompt alone has`,
      })
    if (!prompt) return []
    const { programs, reads } = one
    return [
      {
        ...{ programs, prompt, arguments: one.arguments, source: 'repls.yaml' },
        ...(continuation ? { continuation } : {}),
        ...(reads ? { reads } : {}),
      },
    ]
  })
  return mistakes.length > 0 ? { mistakes } : { rows }
}

function mistakeOf(issue: z.core.$ZodIssue): Mistake {
  const [unknown] = issue.code === 'unrecognized_keys' ? issue.keys : []
  if (unknown === undefined)
    return {
      path: issue.path,
      sentence: `${issue.path.length === 0 ? 'the file' : fieldAt(issue.path)} ${issue.message}`,
    }
  const path = [...issue.path, unknown]
  const field = oneLine(fieldAt(path), 100)
  return { path, sentence: `${field} is no field: there is ${Object.keys(row.shape).join(', ')}` }
}

/** `[1].prompt` */
const fieldAt = (path: readonly PropertyKey[]): string =>
  path.map((key, n) => (typeof key === 'number' ? `[${key}]` : `${n > 0 ? '.' : ''}${String(key)}`)).join('')
