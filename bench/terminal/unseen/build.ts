/** Builds the programs that were written for the unseen situations, and names what stands in braces in them. */
import { execFileSync } from 'node:child_process'
import { cpSync, mkdirSync, truncateSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import type { Tool } from '../../../scripts/setup-bench.ts'
import { unseenFiles, unseenFolder } from '../../../scripts/unseen-tools.ts'

const sources = path.join(import.meta.dirname, 'programs')

/** What a machine has nothing to build with is left out: the situations need that tool themselves. */
export function buildUnseen(
  home: string,
  has: (...tools: readonly Tool[]) => boolean,
): Record<string, string> {
  const programs = path.join(home, 'programs')
  cpSync(sources, programs, { recursive: true })
  const c = (source: string, to: string, ...flags: readonly string[]) =>
    execFileSync('gcc', ['-O1', '-o', path.join(programs, to), path.join(sources, source), ...flags])
  if (has('gcc')) {
    c('own-editor.c', 'own-editor')
    c('own-editor.c', 'own-editor-raw', '-DSTAYS')
    c('relay.c', 'relay', '-lutil')
    if (has('libreadline')) c('editor.c', 'editor', '-lreadline')
    if (has('libedit')) c('editor.c', 'editor-libedit', '-DEDITLINE', '-ledit')
  }
  const go = (source: string, to: string) =>
    execFileSync('go', ['build', '-o', path.join(programs, to), path.join(sources, source)], {
      env: {
        ...process.env,
        GO111MODULE: 'off',
        GOPATH: '/usr/share/gocode',
        GOCACHE: path.join(unseenFolder(), 'go'),
      },
    })
  if (has('go', 'go-readline')) go('lines.go', 'lines-go')
  if (has('go', 'go-survey', 'go-promptui')) go('kit.go', 'kit-go')
  if (has('rust')) cpSync(unseenFiles.rust, path.join(programs, 'lines-rust'))
  const put = (name: string, text: string): string => {
    const file = path.join(home, name)
    writeFileSync(file, text)
    return file
  }
  const disk = put('disk', '')
  truncateSync(disk, 8 << 20)
  mkdirSync(path.join(home, '.config'), { recursive: true })
  const script = (file: string): string => `${process.execPath} ${file}`
  return {
    programs,
    disk,
    'program-js': put('program.js', 'debugger\nlet x = 1\nsetTimeout(() => x++, 1)\n'),
    python: '/usr/bin/python3',
    'node-pty': path.resolve(import.meta.dirname, '../../../node_modules/@lydell/node-pty'),
    nu: unseenFiles.nu,
    bun: unseenFiles.bun,
    mongosh: script(unseenFiles.mongosh),
    nbb: script(unseenFiles.nbb),
    coffee: script(unseenFiles.coffee),
    lsc: script(unseenFiles.lsc),
    kits: path.resolve(unseenFiles.kits, '../../..'),
  }
}
