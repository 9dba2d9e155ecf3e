/** The pages of the repository, and what in them can be checked: headings, links, examples. */
import { globSync, readFileSync } from 'node:fs'
import path from 'node:path'

export const repository = path.resolve(import.meta.dirname, '../..')

/** Paths from the root of the repository. */
export const pages = globSync(['*.md', 'docs/**/*.md', 'corpus/*.md'], { cwd: repository }).sort()

export const textOf = (file: string): string => readFileSync(path.join(repository, file), 'utf8')

export type Fence = { readonly page: string; readonly language: string; readonly text: string }

const fence = /^```(\w*)\n([\s\S]*?)^```$/gm

export const fencesOf = (page: string): Fence[] =>
  [...textOf(page).matchAll(fence)].map(([, language = '', text = '']) => ({ page, language, text }))

/** A page without its examples. */
const proseOf = (page: string): string => textOf(page).replace(fence, '')

/** What stands between single backticks. A code span may go over a line's end. */
export const codeOf = (page: string): string[] =>
  [...proseOf(page).matchAll(/`([^`\n]+(?:\n[^`\n]+)?)`/g)].map(([, code = '']) => code.replace('\n', ' '))

/** The targets of a page's links to other pages, code left out, `PAGE#HEADING`, as they are written. */
export const linksOf = (page: string): string[] =>
  [
    ...proseOf(page)
      .replace(/`[^`\n]*`/g, '')
      .matchAll(/\]\(([^)\s]+)\)/g),
  ].flatMap(([, to = '']) => (/^\w+:/.test(to) ? [] : [to]))

/** The anchors that GitHub makes of a page's headings. */
export const anchorsOf = (page: string): string[] =>
  [...proseOf(page).matchAll(/^#+ (.*)$/gm)].map(([, heading = '']) =>
    heading
      .replace(/\[([^\]]*)\]\([^)]*\)/g, '$1')
      .toLowerCase()
      .replace(/[^\p{L}\p{N}\s_-]/gu, '')
      .trim()
      .replaceAll(' ', '-'),
  )
