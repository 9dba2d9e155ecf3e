/** Values for the arguments that a RALPH.md declares: `--x v`, `--x=v`, or in their order. */
import { LullError } from '../../core/lull-error.ts'

/**
 * @param words what stood on the command line
 * @param plain so many at its end are values, whatever they look like (they came after `--`)
 * @throws {LullError} BAD_RALPH where one has no name, or no value
 */
export function readArguments(
  declared: readonly string[],
  words: readonly string[],
  plain = 0,
): ReadonlyMap<string, string> {
  const values = new Map<string, string>()
  const positional: string[] = []
  for (let at = 0; at < words.length; at++) {
    const word = words[at] as string
    const [, name, value] = /^--([\w-]+)(?:=(.*))?$/s.exec(word) ?? []
    if (at >= words.length - plain || name === undefined) positional.push(word)
    else if (!declared.includes(name)) throw new LullError('BAD_RALPH', `--${name} ${isNone(declared)}`)
    else if (value !== undefined) values.set(name, value)
    else {
      const next = words[++at]
      if (next === undefined || next.startsWith('--'))
        throw new LullError('BAD_RALPH', `--${name} needs a value: --${name} VALUE or --${name}=VALUE`)
      values.set(name, next)
    }
  }
  const open = declared.filter(name => !values.has(name))
  positional.forEach((value, i) => {
    const name = open[i]
    if (name === undefined) throw new LullError('BAD_RALPH', `"${value}" ${isNone(declared)}`)
    values.set(name, value)
  })
  return values
}

const isNone = (declared: readonly string[]): string =>
  declared.length === 0
    ? 'is one argument too many: this RALPH.md declares none (args: […])'
    : `is no argument of this RALPH.md: it declares ${declared.join(', ')}`
