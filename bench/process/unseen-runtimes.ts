/** Runtimes with threads, timers and handlers of their own. */
import { bounded, healthy, stuck, type Unseen } from './unseen-scenario.ts'

const go = 'unseen/waits.go'
const ruby = 'unseen/waits.rb'
const php = 'unseen/waits.php'
const java = 'unseen/Waits.java'
const net = 'unseen/Waits.cs'
const node = 'unseen/waits.js'
const started = { settle: 3000 }
/** V8 wakes node once more, 8 s after its start. */
const calm = { settle: 9500 }
const silent = { beside: ['unseen/silent-listener.py'] }
const second = { ends: 1000 }

export const runtimeTrees: readonly Unseen[] = [
  stuck('Go stdin', ['stdin'], [go, 'stdin'], 'reads a line of stdin'),
  stuck(
    'Go mutexes',
    ['closed_wait', 'deadlock'],
    [go, 'mutexes'],
    'two goroutines with each other’s mutex; only an interrupt would end it',
    { settle: 1000 },
  ),
  stuck('Go, output unread', ['output'], [go, 'full'], 'waits for a child whose full pipe it does not read', {
    settle: 1000,
  }),
  healthy('Go server', ['server'], [go, 'server'], 'waits for a client'),
  healthy('Go sleep', ['timer'], [go, 'sleep'], 'sleeps', second),
  stuck('Ruby gets', ['stdin'], [ruby, 'gets'], 'reads a line of stdin', started),
  stuck(
    'Ruby, output unread',
    ['output'],
    [ruby, 'full'],
    'waits for a child whose full pipe it does not read',
    started,
  ),
  stuck(
    'Ruby flock, twice',
    ['deadlock'],
    [ruby, 'flock', '{dir}'],
    'waits for a flock that it holds itself',
    started,
  ),
  stuck(
    'Ruby threads',
    ['stdin'],
    [ruby, 'thread'],
    'one thread reads stdin, and all others join it',
    started,
  ),
  healthy('Ruby server', ['server'], [ruby, 'server'], 'waits for a client', started),
  healthy('Ruby sleep', ['timer'], [ruby, 'sleep'], 'sleeps', { ...started, ...second }),
  stuck(
    'PHP fgets',
    ['stdin'],
    ['sh', '-c', 'cat | php "$0" fgets', '{programs}/unseen/waits.php'],
    'reads a line of a cat who reads stdin',
    { needs: ['php'] },
  ),
  // PHP has a limit for what is a socket, as stdin is here.
  bounded(
    'PHP fgets of a socket',
    ['timer'],
    [php, 'fgets'],
    'reads a line of stdin for default_socket_timeout, 60 s',
    { ends: 60 },
  ),
  stuck(
    'PHP, output unread',
    ['output'],
    [php, 'full'],
    'waits for a child whose full pipe it does not read',
  ),
  stuck('PHP flock, twice', ['deadlock'], [php, 'flock', '{dir}'], 'waits for a flock that it holds itself'),
  healthy('PHP sleep', ['timer'], [php, 'sleep'], 'sleeps', second),
  stuck('Java latch', ['closed_wait'], [java, 'latch'], 'waits for a latch that nobody counts down', started),
  stuck(
    'Java monitors',
    ['deadlock', 'closed_wait'],
    [java, 'monitors'],
    'two threads with each other’s monitor',
    started,
  ),
  stuck(
    'Java lock',
    ['closed_wait', 'deadlock'],
    [java, 'locks'],
    'joins a thread that wants a lock it holds itself',
    started,
  ),
  stuck(
    'Java, output unread',
    ['output'],
    [java, 'full'],
    'waits for a child whose full pipe it does not read',
    started,
  ),
  healthy('Java sleep', ['timer'], [java, 'sleep'], 'sleeps', { ...started, ...second }),
  stuck('.NET line', ['stdin'], [net, 'line'], 'reads a line of stdin', started),
  stuck(
    '.NET monitors',
    ['deadlock', 'closed_wait'],
    [net, 'monitors'],
    'two threads with each other’s monitor',
    started,
  ),
  stuck('.NET event', ['closed_wait'], [net, 'event'], 'waits for an event that nobody sets', started),
  healthy('.NET sleep', ['timer'], [net, 'sleep'], 'sleeps', { ...started, ...second }),
  stuck(
    'BEAM receive',
    ['closed_wait'],
    ['erl', '-noinput', '-eval', 'receive never -> ok end.'],
    'waits for a message that no process of its own sends',
    { settle: 5000 },
  ),
  stuck(
    'BEAM line',
    ['stdin'],
    ['erl', '-noshell', '-eval', 'io:get_line(""), halt().'],
    'reads a line of stdin',
    { settle: 5000 },
  ),
  healthy('BEAM sleep', ['timer'], ['erl', '-noinput', '-eval', 'timer:sleep(1000000).'], 'sleeps', {
    settle: 5000,
    ...second,
  }),
  stuck(
    'SBCL line',
    ['stdin'],
    ['sbcl', '--noinform', '--no-userinit', '--eval', '(read-line)'],
    'reads a line of stdin',
    started,
  ),
  stuck(
    'SBCL semaphore',
    ['closed_wait'],
    [
      'sbcl',
      '--non-interactive',
      '--no-userinit',
      '--eval',
      '(sb-thread:wait-on-semaphore (sb-thread:make-semaphore))',
    ],
    'waits for a semaphore that nobody signals',
    started,
  ),
  stuck(
    'Guile line',
    ['stdin'],
    ['guile', '--no-auto-compile', '-c', '(use-modules (ice-9 rdelim)) (read-line)'],
    'reads a line of stdin',
    started,
  ),
  stuck(
    'Guile condition',
    ['closed_wait'],
    [
      'guile',
      '--no-auto-compile',
      '-c',
      '(use-modules (ice-9 threads)) (let ((m (make-mutex))) (lock-mutex m) (wait-condition-variable (make-condition-variable) m))',
    ],
    'waits for a condition that nobody signals',
    started,
  ),
  stuck('Lua line', ['stdin'], ['lua5.4', '-e', 'io.read()'], 'reads a line of stdin'),
  stuck(
    'perl flock, twice',
    ['deadlock'],
    ['unseen/waits.pl', 'flock', '{dir}'],
    'waits for a flock that it holds itself',
  ),
  stuck('perl select', ['closed_wait'], ['unseen/waits.pl', 'select'], 'selects on its own pipe'),
  stuck(
    'node, output unread',
    ['output'],
    [node, 'full'],
    'awaits the end of a child whose full pipe it does not read',
    calm,
  ),
  stuck(
    'node workers',
    ['closed_wait'],
    [node, 'workers'],
    'two workers and the main thread wait for words that nobody changes',
    calm,
  ),
  stuck('bc', ['stdin'], ['bc', '-q'], 'reads stdin'),
  stuck('gdb, piped', ['stdin'], ['gdb', '-q', '-nx'], 'reads commands from stdin', started),
  stuck('sqlite3', ['stdin'], ['sqlite3', '{dir}/db'], 'reads statements from stdin'),
  stuck('openssl sha256', ['stdin'], ['openssl', 'sha256'], 'reads stdin'),
  healthy(
    'openssl s_server',
    ['server'],
    ['openssl', 's_server', '-nocert', '-accept', '127.0.0.1:0'],
    'waits for clients',
    started,
  ),
  healthy(
    'openssl s_client',
    ['network'],
    ['openssl', 's_client', '-connect', '127.0.0.1:{value}'],
    'waits for a peer that may answer its hello',
    silent,
  ),
  healthy(
    'ssh',
    ['network'],
    ['ssh', '-F', 'none', '-o', 'StrictHostKeyChecking=no', '-p', '{value}', '127.0.0.1', 'true'],
    'waits for the banner of a peer that may answer',
    { ...silent, settle: 1500 },
  ),
  stuck(
    'ssh, proxy never speaks',
    ['closed_wait'],
    ['ssh', '-F', 'none', '-o', 'ProxyCommand=sh -c "cat > /dev/null; true"', 'nowhere', 'true'],
    'ssh waits for its proxy, which waits for ssh',
    { settle: 1500 },
  ),
  healthy(
    'ssh, proxy sleeps',
    ['timer'],
    ['ssh', '-F', 'none', '-o', 'ProxyCommand=sleep 1000', 'nowhere', 'true'],
    'ssh waits for its proxy, which sleeps',
    { settle: 1500, ...second },
  ),
]
