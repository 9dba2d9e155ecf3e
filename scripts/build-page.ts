/** Builds the page that `lull serve` shows, from `src/page/` into `dist/page/`: scripts that name their content, one style, an icon. */
import { hash } from 'node:crypto'
import { copyFileSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { rolldown } from 'rolldown'

const root = path.resolve(import.meta.dirname, '..')
const source = path.join(root, 'src/page')
const built = path.join(root, 'dist/page')
const { version } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8')) as { version: string }

rmSync(built, { recursive: true, force: true })
mkdirSync(path.join(built, 'assets'), { recursive: true })

const bundle = await rolldown({
  input: path.join(source, 'main.tsx'),
  platform: 'browser',
  tsconfig: path.join(source, 'tsconfig.json'),
  transform: { define: { 'import.meta.env.VERSION': JSON.stringify(version) } },
  treeshake: { moduleSideEffects: id => !id.includes(`${root}/src/`) || id.includes(`${root}/src/page/`) },
})
const { output } = await bundle.write({
  dir: path.join(built, 'assets'),
  format: 'esm',
  minify: true,
  entryFileNames: '[name]-[hash].js',
  chunkFileNames: '[name]-[hash].js',
})
await bundle.close()

const style = readFileSync(path.join(source, 'style.css'), 'utf8')
const styleName = `style-${hash('sha256', style, 'hex').slice(0, 8)}.css`
writeFileSync(path.join(built, 'assets', styleName), style)
copyFileSync(path.join(source, 'icon.svg'), path.join(built, 'assets/icon.svg'))
copyFileSync(path.join(source, 'manifest.json'), path.join(built, 'assets/manifest.json'))
const page = readFileSync(path.join(source, 'index.html'), 'utf8')
writeFileSync(
  path.join(built, 'index.html'),
  page.replace('main.tsx', `assets/${output[0].fileName}`).replace('style.css', `assets/${styleName}`),
)
