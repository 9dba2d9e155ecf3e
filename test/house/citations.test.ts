/** Nothing is cited that can't be opened: what comments and pages name exists in the repository. */
import { existsSync, globSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, test } from 'vitest'
import { anchorsOf, codeOf, linksOf, pages, repository, textOf } from '../support/markdown.ts'

const sources = globSync('{src,bench,test,scripts}/**/*.ts', { cwd: repository }).sort()

/** Comments, each on one line. What follows `//` within a string passes for one, and does no harm here. */
const commentsOf = (file: string): string[] =>
  [...textOf(file).matchAll(/\/\*[\s\S]*?\*\/|(?<!:)\/\/.*$/gm)].map(([comment]) =>
    comment.replace(/\n\s*\*\s?/g, ' '),
  )

const isThere = (file: string): boolean => existsSync(path.join(repository, file))

/** `PAGE#HEADING`, from the root of the repository. */
function canBeOpened(citation: string): boolean {
  const [page = '', heading] = citation.split('#')
  if (!isThere(page)) return false
  return heading === undefined || anchorsOf(page).includes(heading)
}

/** What people write about their own files is no citation. */
const examples = new Set(['RALPH.md'])

describe('comments', () => {
  test('a page that a comment names exists, and so does its heading', () => {
    const wrong = sources.flatMap(file =>
      commentsOf(file)
        .flatMap(comment => comment.match(/[\w./-]*\w\.md\b(?:#[\w-]*)?/g) ?? [])
        .filter(citation => !examples.has(path.basename(citation)) && !canBeOpened(citation))
        .map(citation => `${file}: ${citation}`),
    )
    expect(wrong).toEqual([])
  })

  test('documents, traps and research are named by their pages', () => {
    const bare = /\b[Dd]ocument 00\d|(?<![#\w-])[Tt]raps? \d|(?<!docs\/)\b(?:research|seeds)\/|\.\.\/shared/
    const wrong = sources.flatMap(file =>
      commentsOf(file)
        .filter(comment => bare.test(comment))
        .map(comment => `${file}: ${comment}`),
    )
    expect(wrong).toEqual([])
  })
})

describe('pages', () => {
  test.each(pages)('the links of %s lead somewhere', page => {
    const wrong = linksOf(page).filter(link => {
      const [to = '', heading] = link.split('#')
      const target = to === '' ? page : path.join(path.dirname(page), to)
      return !canBeOpened(heading === undefined || !target.endsWith('.md') ? target : `${target}#${heading}`)
    })
    expect(wrong).toEqual([])
  })

  test.each(pages.filter(page => page !== 'CHANGELOG.md'))('the files that %s names exist', page => {
    const named = codeOf(page).flatMap(
      code => code.match(/(?<![\w./~-])(?:src|test|bench|docs|demo|scripts|corpus|bin)\/[\w./*-]*\w/g) ?? [],
    )
    expect(named.filter(file => globSync(`${file}{,.ts}`, { cwd: repository }).length === 0)).toEqual([])
  })
})
