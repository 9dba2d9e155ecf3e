/** The recordings that come with the repository: whole, labelled, small, and free of who made them. */
import { globSync, readFileSync, statSync } from 'node:fs'
import path from 'node:path'
import { gunzipSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { corpusFolder } from '../../bench/corpus.ts'

const files = globSync('*/*', { cwd: corpusFolder }).sort()
const casts = files.filter(file => file.endsWith('.cast.gz'))
const nameOf = (cast: string): string => cast.replace('.cast.gz', '')
const read = (file: string): Buffer => readFileSync(path.join(corpusFolder, file))

describe('the corpus', () => {
  test('each recording has its truth, and there is nothing else', () => {
    expect(casts.length).toBeGreaterThanOrEqual(74)
    expect(files).toEqual(casts.flatMap(cast => [cast, `${nameOf(cast)}.truth.json`]).sort())
  })

  test('the truth names its recording', () => {
    const names = casts.map(nameOf)
    expect(names.map(name => JSON.parse(read(`${name}.truth.json`).toString()).trace)).toEqual(names)
  })

  test('it is less than a megabyte', () => {
    const sizes = files.map(file => statSync(path.join(corpusFolder, file)).size)
    expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThan(1_000_000)
  })

  test('it is packed without a time or a name, so that packing again gives the same bytes', () => {
    expect(casts.filter(cast => read(cast).readUIntLE(3, 5) !== 0)).toEqual([])
  })

  test('no address but loopback, no home folder but that of "dev"', () => {
    const strays = casts.flatMap(cast => {
      const text = gunzipSync(read(cast)).toString()
      const addresses = text.match(/\b\d{1,3}\.\d{1,3}\.\d{1,3}\.\d{1,3}:\d+/g) ?? []
      const homes = text.match(/\/(?:root|home|Users)\/[\w.]+/g) ?? []
      return [
        ...addresses.filter(address => !address.startsWith('127.0.0.1:')),
        ...homes.filter(home => home !== '/home/dev'),
      ]
    })
    expect(strays).toEqual([])
  })

  test.each(globSync('*.cast.gz', { cwd: path.join(corpusFolder, '../demo') }))(
    'the demo plays the same bytes: %s',
    file => {
      const inDemo = readFileSync(path.join(corpusFolder, '../demo', file))
      expect(inDemo.equals(read(file.replace('-', '/')))).toBe(true)
    },
  )
})
