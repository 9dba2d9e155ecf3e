/** RALPH.md in two: the YAML between its first two `---` lines, and the body. */

import { LullError } from '../../core/lull-error.ts'
import { readYaml, type YamlFields } from '../../os/file/yaml-text.ts'

export type Parts = {
  readonly frontmatter: string
  /** Lines before it. */
  readonly before: number
  readonly body: string
}

/** Line ends are made one kind. Nothing where it does not begin with a frontmatter that ends. */
export function splitRalph(text: string): Parts | 'none' | 'unclosed' {
  const lines = text
    .replace(/^\uFEFF/, '')
    .replace(/\r\n?/g, '\n')
    .split('\n')
  if (!isFence(lines[0])) return 'none'
  const end = lines.findIndex((line, i) => i > 0 && isFence(line))
  if (end < 0) return 'unclosed'
  return {
    frontmatter: lines.slice(1, end).join('\n'),
    before: 1,
    body: lines.slice(end + 1).join('\n'),
  }
}

const isFence = (line: string | undefined): boolean => line?.trimEnd() === '---'

export type Fields = YamlFields

/** Far more than a loop's fields take: its parser needs more than linear time for some texts. */
const longest = 16 * 1024

/**
 * Reads the frontmatter's YAML.
 * @param file its name in sentences
 * @throws {LullError} BAD_RALPH with line and column, where it is no YAML
 */
export function readFields({ frontmatter, before }: Parts, file: string): Fields {
  if (frontmatter.length > longest)
    throw new LullError('BAD_RALPH', `${file}: the frontmatter is larger than ${longest / 1024} kB`)
  const read = readYaml(frontmatter, file, { before, what: 'the frontmatter' })
  if ('wrong' in read) throw new LullError('BAD_RALPH', read.wrong)
  return read
}
