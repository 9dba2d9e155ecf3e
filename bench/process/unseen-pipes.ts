/** Pipes, FIFOs, sockets, children, and what is halted. */
import { healthy, stuck, type Unseen } from './unseen-scenario.ts'

const pipes = 'unseen/pipes.c'
const python = 'unseen/waits.py'
const freeze = (version: string, whom: string) => ({
  afterwards: ['unseen/freeze-child.sh', version, '{pid}', whom],
  undo: ['unseen/freeze-child.sh', version, '{pid}', 'thaw'],
  root: true as const,
})

export const pipeTrees: readonly Unseen[] = [
  stuck(
    'forgotten end of a pipe',
    ['closed_wait'],
    [pipes, 'forgotten-end'],
    'two children wait for the end of pipes that the other keeps open',
  ),
  stuck(
    'both sides write',
    ['closed_wait', 'output'],
    [pipes, 'both-write'],
    'two processes write to each other and neither reads',
  ),
  stuck(
    'own datagrams',
    ['output', 'closed_wait'],
    [pipes, 'datagrams', '{dir}'],
    'sends to its own nameless socket, which is full',
  ),
  stuck(
    'own backlog',
    ['closed_wait', 'output'],
    [pipes, 'backlog', '{dir}'],
    'the child connects to its parent, who waits for it and accepts nothing',
  ),
  stuck(
    'FIFO, unlinked',
    ['closed_wait'],
    [pipes, 'fifo', '{dir}'],
    'parent and child alone have the FIFO, whose name is gone',
  ),
  stuck(
    'FIFO without a peer',
    ['outsider', 'closed_wait', 'unknown'],
    ['sh', '-c', 'mkfifo {dir}/fifo && cat {dir}/fifo'],
    'opens a FIFO that nobody else opens, though anybody could',
    { isOpen: true },
  ),
  stuck(
    'vfork child reads',
    ['stdin'],
    [pipes, 'vfork'],
    'the parent can’t be interrupted until its child, who reads stdin, has ended',
  ),
  stuck(
    'splice of its own pipe',
    ['closed_wait'],
    [pipes, 'splice'],
    'splices from a pipe whose writing end it has itself',
  ),
  stuck(
    'write before read',
    ['output', 'closed_wait'],
    [python, 'echo'],
    'writes to a cat whose full output it does not read',
  ),
  stuck(
    'join before get',
    ['output', 'closed_wait'],
    [python, 'joined'],
    'joins a child that can’t end before its full queue is read',
  ),
  stuck(
    'asyncio, output unread',
    ['output'],
    [python, 'unread'],
    'awaits the end of a child whose full pipe it stopped reading',
  ),
  stuck(
    'perl, output unread',
    ['output'],
    ['unseen/waits.pl', 'full'],
    'waits for a child whose full pipe it does not read',
  ),
  stuck('stopped child', ['stopped'], [pipes, 'stopped-child'], 'waits for a child that stopped itself'),
  stuck(
    'stopped background job',
    ['stopped'],
    ['bash', '-c', 'sleep 1000 & kill -STOP $!; wait'],
    'waits for a job that was stopped',
  ),
  stuck(
    'frozen by cgroup v1',
    ['frozen'],
    ['sleep', '1000'],
    'frozen by the freezer of cgroup v1, which shows as D',
    freeze('v1', 'self'),
  ),
  stuck(
    'child frozen by cgroup v1',
    ['frozen'],
    ['bash', '-c', 'cat; true'],
    'waits for a child that is frozen',
    freeze('v1', 'child'),
  ),
  stuck(
    'child frozen by cgroup v2',
    ['frozen'],
    ['bash', '-c', 'sleep 1000; true'],
    'waits for a child that is frozen',
    freeze('v2', 'child'),
  ),
  healthy(
    'tee into a sleeper',
    ['timer'],
    ['bash', '-c', 'yes | tee >(sleep 1000) > /dev/null'],
    'a pipe is full until its reader has slept',
    { ends: 1000 },
  ),
  healthy(
    'diff of a sleeper',
    ['timer'],
    ['bash', '-c', 'diff <(sleep 1000) <(true)'],
    'reads what a sleeper may still write',
    { ends: 1000 },
  ),
  healthy(
    'FIFO of an outsider',
    ['outsider'],
    ['cat', '{dir}/fifo'],
    'the writer is alive, outside, and silent',
    { beside: ['deceive/outsider.py', 'hold-fifo', '{dir}'], isOpen: true },
  ),
  healthy(
    'lock inherited by an outsider',
    ['outsider'],
    ['flock', '{dir}/lock', 'true'],
    'who took the lock has ended, and who inherited it lives',
    { beside: ['deceive/outsider.py', 'unlock-inherited', '{dir}'], isOpen: true },
  ),
  healthy(
    'file system without an answer',
    ['outsider', 'unknown'],
    ['nsenter', '-t', '{value}', '-m', 'stat', '{dir}/mount'],
    'in D state, until the server of the file system answers; no disk moves',
    {
      beside: ['unshare', '-m', 'unseen/silent-fuse.c', '{dir}/mount'],
      needs: ['unshare'],
      root: true,
      isOpen: true,
    },
  ),
]
