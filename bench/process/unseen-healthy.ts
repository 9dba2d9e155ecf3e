/** Healthy trees that look stuck: servers, watches, nested waits, retries, long work. */
import { healthy, type Unseen } from './unseen-scenario.ts'

const python = 'unseen/waits.py'
const heavy = { moves: true, heavy: true } as const

export const healthyTrees: readonly Unseen[] = [
  healthy(
    'make with a jobserver',
    ['timer'],
    ['make', '-j2', '-f', '{programs}/unseen/jobs.mk'],
    'two jobs sleep, and the others wait for their places',
    { settle: 1000, ends: 1000 },
  ),
  healthy(
    'nested waits',
    ['timer'],
    ['bash', '-c', 'bash -c "sh -c \'sleep 1000; true\'; true"; true'],
    'four processes wait for a sleeper',
    { ends: 1000 },
  ),
  healthy(
    'sleep infinity',
    ['timer', 'signal'],
    ['sleep', 'infinity'],
    'sleeps for good because it was told to',
  ),
  healthy(
    'python http.server',
    ['server'],
    ['python3', '-m', 'http.server', '--bind', '127.0.0.1', '0'],
    'waits for clients',
    { settle: 2000 },
  ),
  healthy('socat listens', ['server'], ['socat', 'TCP-LISTEN:0,bind=127.0.0.1', '-'], 'waits for a client'),
  healthy('ssh-agent', ['server'], ['ssh-agent', '-D', '-a', '{dir}/agent'], 'waits for clients'),
  healthy(
    'inotifywait',
    ['outsider', 'unknown'],
    ['inotifywait', '-q', '-m', '{dir}'],
    'waits for somebody to change a folder',
    { isOpen: true },
  ),
  healthy(
    'node watch',
    ['outsider', 'unknown'],
    ['unseen/waits.js', 'watch'],
    'waits for somebody to change a folder',
    { settle: 9500, isOpen: true },
  ),
  healthy('watch', ['timer', 'ticking'], ['watch', '-n', '60', 'true'], 'runs a command each minute', {
    pty: true,
    settle: 2000,
  }),
  healthy(
    'retries with backoff',
    ['ticking', 'timer'],
    [python, 'backoff'],
    'is refused, and tries again later each time',
    { moves: true, settle: 2500 },
  ),
  healthy('stdin and a timer of asyncio', ['timer'], [python, 'both'], 'reads stdin, and a timer ends that', {
    ends: 900,
  }),
  healthy(
    'stdin and a timer of node',
    ['timer'],
    ['unseen/waits.js', 'timer'],
    'reads stdin, and a timer ends that',
    { settle: 9500, ends: 1200 },
  ),
  healthy(
    'locked database',
    ['ticking', 'timer', 'outsider'],
    ['sqlite3', '-cmd', '.timeout 900000', '{dir}/db', 'insert into notes values (1)'],
    'asks again and again for a quarter of an hour whether a database is free',
    { beside: ['unseen/hold-database.py', '{dir}/db'], moves: true, settle: 1500, ends: 900 },
  ),
  healthy(
    'xz',
    ['computing'],
    ['nice', 'sh', '-c', 'head -c 100G /dev/zero | xz -9 > /dev/null'],
    'compresses',
    { ...heavy, needs: ['xz'], settle: 1500 },
  ),
  healthy(
    'perl computes under timeout',
    ['computing'],
    ['timeout', '900', 'perl', '-e', '1 while 1'],
    'computes',
    heavy,
  ),
  healthy(
    'pool computes',
    ['computing'],
    [python, 'pool'],
    'one worker computes while its parent waits without a limit',
    { ...heavy, settle: 1500 },
  ),
]
