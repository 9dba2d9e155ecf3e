/** Cases as data: files of JSON, one row a line. */
import { readFileSync } from 'node:fs'

/** @param revive see `JSON.parse` */
export const rowsOf = <Row>(file: URL, revive?: (key: string, value: unknown) => unknown): readonly Row[] =>
  readFileSync(file, 'utf8')
    .trimEnd()
    .split('\n')
    .map(line => JSON.parse(line, revive) as Row)
