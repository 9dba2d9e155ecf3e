/** Which socket of tmux is meant. */
import { symlinkSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { isSameSocket, socketAround, socketNamed } from '../../src/os/tmux/socket-path.ts'
import { temporaryFolder } from '../support/lull.ts'

test('the server around a program is the one that its environment names', () => {
  expect(socketAround({ TMUX: '/tmp/tmux-0/one,123,0' })).toBe('/tmp/tmux-0/one')
  expect([socketAround({}), socketAround({ TMUX: '' })]).toEqual([undefined, undefined])
})

test('a server that has a name has its socket in a folder of its user', () => {
  expect(socketNamed('one', {}, 7)).toBe('/tmp/tmux-7/one')
  expect(socketNamed('one', { TMUX_TMPDIR: '/run' }, 7)).toBe('/run/tmux-7/one')
  expect(socketNamed('one', { TMUX_TMPDIR: '' }, 7)).toBe('/tmp/tmux-7/one')
})

test('two paths that lead to one file are one socket', () => {
  const folder = temporaryFolder()
  const [socket, link] = [path.join(folder, 'socket'), path.join(folder, 'link')]
  writeFileSync(socket, '')
  symlinkSync(socket, link)
  expect(isSameSocket(link, socket)).toBe(true)
  expect(isSameSocket('/nowhere/a', '/nowhere/a')).toBe(true)
  expect(isSameSocket(socket, '/nowhere/a')).toBe(false)
})
