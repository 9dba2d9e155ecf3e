/** A program of which all runs in another thread than the first, as Java's does: jshell's child while its command sleeps. */
import { execFileSync, spawn } from 'node:child_process'
import { existsSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, test } from 'vitest'
import { terminalCall } from '../../src/terminal/probe/terminal-call.ts'
import { temporaryFolder } from '../support/lull.ts'
import { hasProgram } from '../support/tmux-server.ts'
import { until } from '../support/until.ts'

const code = `#include <pthread.h>
#include <semaphore.h>
#include <string.h>
#include <time.h>
static sem_t never;
static void *sleeps(void *a) { struct timespec t = {1000, 0}; clock_nanosleep(CLOCK_MONOTONIC, 0, &t, 0); return a; }
static void *waits(void *a) { sem_wait(&never); return a; }
int main(int n, char **words) {
  pthread_t thread;
  sem_init(&never, 0, 0);
  if (!strcmp(words[1], "own")) waits(0);
  pthread_create(&thread, 0, strcmp(words[1], "sleeps") ? waits : sleeps, 0);
  return pthread_join(thread, 0);
}`

describe.runIf(hasProgram('gcc') && existsSync('/proc/self/syscall'))('the first thread of a program', () => {
  const folder = temporaryFolder()
  const program = path.join(folder, 'joins')

  test.each([
    ['sleeps where the thread that it joins does', 'sleeps', true],
    ['does not where that thread waits for another', 'waits', undefined],
    ['nor where it waits itself', 'own', undefined],
  ])('%s', async (_, mode, isTimed) => {
    const source = path.join(folder, 'joins.c')
    writeFileSync(source, code)
    execFileSync('gcc', ['-pthread', '-w', '-o', program, source])
    const child = spawn(program, [mode], { stdio: 'ignore' })
    const pid = child.pid ?? 0
    const call = () => terminalCall(pid, pid, 1, () => false)
    try {
      const isAtRest = (now: ReturnType<typeof call>) =>
        now.type === 'blocked' && now.name === 'futex' && now.isTimed === isTimed
      expect(await until(call, isAtRest)).toMatchObject({ type: 'blocked', name: 'futex' })
    } finally {
      child.kill('SIGKILL')
    }
  })
})
