/** The page: files of the package, which tell nothing of any session. What it shows it asks the API for, with the browser's token. */
import { existsSync, readdirSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import type { OpenAPIHono } from '@hono/zod-openapi'
import { readPlainText } from '../../os/file/plain-file.ts'
import { htmlPage } from '../html-page.ts'
import type { ApiEnv } from '../operations/operation.ts'

/** `scripts/build-page.ts` makes it. */
const built = fileURLToPath(new URL('../../../dist/page/', import.meta.url))

const assetPath = '/assets/'

const types: Readonly<Record<string, string>> = {
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.json': 'application/manifest+json',
}

/** Text of an agent can't become a script, a style or a request elsewhere, whatever mistake the page makes. */
const policy = [
  "default-src 'none'",
  ...["script-src 'self'", "style-src 'self'", "connect-src 'self'", "manifest-src 'self'"],
  // The icon with its number is drawn in the page.
  "img-src 'self' data:",
  ...[
    "form-action 'none'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
  ],
].join('; ')

export function addPage(app: OpenAPIHono<ApiEnv>): void {
  app.get('/', c => {
    const file = path.join(built, 'index.html')
    if (!existsSync(file))
      return c.html(
        htmlPage('<p>This copy of lull has no page yet: <code>npm run build:page</code></p>'),
        503,
      )
    c.header('content-security-policy', policy)
    return c.html(readPlainText(file))
  })

  // Only names that are there: no path of the client's becomes one of the disk.
  app.get(`${assetPath}:name`, c => {
    const name = c.req.param('name')
    const folder = path.join(built, assetPath)
    if (!existsSync(folder) || !readdirSync(folder).includes(name)) return c.notFound()
    const isNamedByContent = /-[\w-]{8}\.(?:js|css)$/.test(name)
    c.header('cache-control', isNamedByContent ? 'public, max-age=31536000, immutable' : 'no-cache')
    c.header('content-type', types[path.extname(name)] ?? 'application/octet-stream')
    return c.body(readPlainText(path.join(folder, name)))
  })
}
