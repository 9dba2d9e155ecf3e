/** Locks, mutexes, semaphores and queues. */
import { healthy, stuck, type Unseen } from './unseen-scenario.ts'

const locks = 'unseen/locks.c'
const python = 'unseen/waits.py'

export const lockTrees: readonly Unseen[] = [
  stuck(
    'OFD lock, twice',
    ['deadlock'],
    [locks, 'ofd-self', '{dir}'],
    'waits for a lock that its own other description of the file holds',
  ),
  stuck(
    'flock, twice',
    ['deadlock'],
    [locks, 'flock-self', '{dir}'],
    'waits for a flock that its own other description of the file holds',
  ),
  stuck(
    'OFD ABBA',
    ['deadlock'],
    [locks, 'ofd-ring', '{dir}'],
    'two processes wait for each other’s lock of a description',
    { settle: 800 },
  ),
  stuck(
    'fcntl lock and pipe',
    ['deadlock', 'closed_wait'],
    [locks, 'fcntl-pipe', '{dir}'],
    'the parent waits for the lock of its child, who reads a pipe that only the parent could write',
    { settle: 800 },
  ),
  stuck(
    'shell with its own flock',
    ['deadlock'],
    ['bash', '-c', 'exec 9>{dir}/lock; flock 9; flock {dir}/lock true'],
    'the shell holds the flock that its child waits for',
  ),
  stuck(
    'flock before a fork',
    ['deadlock'],
    [python, 'shared', '{dir}'],
    'the parent holds the flock that its child wants, and waits for the child',
  ),
  stuck(
    'shared mutex, child',
    ['deadlock'],
    [locks, 'shared-child'],
    'the parent holds a process-shared mutex and waits for the child who wants it',
  ),
  stuck(
    'shared mutex ABBA',
    ['deadlock'],
    [locks, 'shared-ring'],
    'two processes wait for each other’s process-shared mutex',
    { settle: 800 },
  ),
  stuck(
    'mutex of the dead',
    ['deadlock', 'closed_wait'],
    [locks, 'dead-owner'],
    'who held the mutex, which is not robust, has ended',
  ),
  stuck(
    'mutex of a waiting thread',
    ['closed_wait'],
    [locks, 'owner-waits'],
    'the mutex is held by a thread that waits for a semaphore nobody posts',
    { settle: 800 },
  ),
  stuck(
    'priority inheriting mutex',
    ['closed_wait'],
    [locks, 'owner-waits-pi'],
    'the same, with a mutex that inherits priority',
    { settle: 800 },
  ),
  stuck(
    'rwlock, twice',
    ['closed_wait', 'deadlock'],
    [locks, 'rwlock-self'],
    'its only thread reads under the lock and wants to write',
  ),
  stuck(
    'barrier of three',
    ['closed_wait'],
    [locks, 'barrier'],
    'two threads wait at a barrier for a third that nobody starts',
  ),
  stuck(
    'join of a waiter',
    ['closed_wait'],
    [locks, 'join'],
    'joins a thread that waits for a semaphore nobody posts',
  ),
  stuck(
    'named semaphore, unlinked',
    ['closed_wait'],
    [locks, 'named-sem'],
    'parent and child alone have the semaphore, whose name is gone',
  ),
  stuck(
    'message queue, unlinked',
    ['closed_wait'],
    [locks, 'queue'],
    'it alone has the queue it reads, whose name is gone',
  ),
  stuck(
    'condition of four threads',
    ['closed_wait'],
    [python, 'condition'],
    'four threads wait for a condition that nobody notifies',
  ),
  stuck(
    'multiprocessing lock',
    ['closed_wait', 'deadlock'],
    [python, 'held'],
    'the parent holds the semaphore that its child wants, and joins the child',
  ),
  stuck(
    'lock copied by fork',
    ['closed_wait', 'deadlock'],
    [python, 'forked'],
    'the child waits for a lock that was held when it was forked',
  ),
  healthy(
    'mutex of a sleeper',
    ['timer'],
    [locks, 'owner-sleeps'],
    'who holds the process-shared mutex sleeps',
    { settle: 800, ends: 1000 },
  ),
  healthy(
    'priority inheriting mutex of a sleeper',
    ['timer'],
    [locks, 'owner-sleeps-pi'],
    'the same, with a mutex that inherits priority',
    { settle: 800, ends: 1000 },
  ),
  healthy('semaphore, 600 s', ['timer'], [locks, 'sem-timed'], 'waits for ten minutes at most', {
    ends: 600,
  }),
  healthy('condition, 600 s', ['timer'], [locks, 'cond-timed'], 'waits for ten minutes at most', {
    ends: 600,
  }),
  healthy('rwlock, 600 s', ['timer'], [locks, 'rwlock-timed'], 'waits for ten minutes at most', {
    ends: 600,
  }),
  healthy('queue, 600 s', ['timer'], [locks, 'queue-timed'], 'waits for ten minutes at most', { ends: 600 }),
  healthy('event, 900 s', ['timer'], [python, 'event'], 'waits for a quarter of an hour at most', {
    ends: 900,
  }),
]
