/** Sandboxes, namespaces, wrappers, and terminals at which nobody types. */
import { bounded, healthy, stuck, type Unseen } from './unseen-scenario.ts'

const ring = 'flock {dir}/$0 sh -c "sleep 0.3; flock {dir}/$1 true"'
const typed = (name: string, run: readonly string[], truth: string): Unseen =>
  stuck(`--pty ${name}`, ['stdin'], run, truth, { options: ['--pty'] })

export const wrapperTrees: readonly Unseen[] = [
  stuck(
    'bwrap',
    ['deadlock'],
    ['bwrap', '--bind', '/', '/', '--dev', '/dev', '--proc', '/proc', '--unshare-all', 'mutex.c', 'abba'],
    'two mutexes in a ring, in namespaces of their own',
  ),
  stuck(
    'user and PID namespace',
    ['stdin'],
    ['unshare', '-Urpf', '--mount-proc', 'cat'],
    'cat reads stdin in namespaces of its own',
  ),
  stuck(
    'PID namespace',
    ['deadlock'],
    ['unshare', '-pf', '--mount-proc', 'sh', '-c', '"$@"; true', 'sh', 'unseen/locks.c', 'shared-ring'],
    'two processes of a namespace wait for each other’s mutex',
    { settle: 1000, root: true },
  ),
  stuck(
    'tini',
    ['stdin'],
    ['tini', '-s', '--', 'cat'],
    'cat reads stdin below an init that looks each second',
    { moves: true, settle: 1500 },
  ),
  stuck('dumb-init', ['stdin'], ['dumb-init', 'cat'], 'cat reads stdin below an init'),
  stuck(
    'script',
    ['stdin'],
    ['script', '-qec', 'read x', '/dev/null'],
    'a shell reads the terminal of script, which reads stdin',
  ),
  stuck(
    'xargs',
    ['deadlock'],
    ['sh', '-c', 'printf "a b\\nb a\\n" | xargs -P2 -L1 sh -c "$0"', ring],
    'two jobs wait for each other’s flock',
    { settle: 1500 },
  ),
  stuck('pv', ['stdin'], ['sh', '-c', 'pv | wc -c'], 'pv reads stdin, and paints each second', {
    moves: true,
    settle: 1500,
  }),
  stuck('pv -q', ['stdin'], ['sh', '-c', 'pv -q | wc -c'], 'pv reads stdin, and looks at its clock', {
    moves: true,
    settle: 1500,
  }),
  bounded(
    'timeout of a deadlock',
    ['timer', 'deadlock'],
    ['timeout', '600', 'unseen/locks.c', 'flock-self', '{dir}'],
    'a deadlock that timeout ends',
    { ends: 600 },
  ),
  stuck(
    'nice stdbuf env -i',
    ['stdin'],
    ['nice', 'stdbuf', '-oL', 'env', '-i', '/bin/cat'],
    'cat reads stdin',
  ),
  stuck('ionice chrt', ['stdin'], ['ionice', '-c3', 'chrt', '-i', '0', 'cat'], 'cat reads stdin', {
    needs: ['chrt'],
  }),
  stuck('sudo', ['stdin'], ['sudo', '-n', 'cat'], 'cat reads stdin below sudo', { root: true }),
  stuck(
    'setsid',
    ['stdin'],
    ['setsid', '-w', 'sh', '-c', 'cat | cat'],
    'cat reads stdin in a session of its own',
  ),
  stuck(
    'strace',
    ['stdin'],
    ['strace', '-f', '-o', '/dev/null', 'cat'],
    'cat reads stdin; its tracer is of the tree and lets it run',
  ),
  stuck(
    'gdb',
    ['deadlock'],
    ['gdb', '-q', '-nx', '-batch', '-ex', 'run', '--args', 'mutex.c', 'abba'],
    'two mutexes in a ring; the debugger of the tree waits for a stop',
    { settle: 3000 },
  ),
  stuck(
    'parallel',
    ['deadlock'],
    ['parallel', '--will-cite', 'mutex.c', ':::', 'abba'],
    'two mutexes in a ring below a runner of jobs',
    { moves: true, settle: 2000 },
  ),
  stuck(
    'expect',
    ['closed_wait', 'stdin'],
    ['expect', '-c', 'set timeout -1; spawn cat; expect never'],
    'cat waits for expect’s keys, and expect for cat’s output',
    { settle: 1000 },
  ),
  stuck('socat', ['stdin'], ['socat', '-', 'EXEC:cat'], 'socat reads stdin for its cat'),
  stuck('flock of a reader', ['stdin'], ['flock', '{dir}/lock', 'cat'], 'cat reads stdin under a lock'),
  stuck('busybox', ['stdin'], ['busybox', 'sh', '-c', 'read x'], 'a shell reads stdin'),
  stuck('entr', ['stdin'], ['entr', 'true'], 'reads the list of its files from stdin'),
  stuck(
    'git commit',
    ['stdin'],
    [
      'sh',
      '-c',
      'git init -q r && cd r && GIT_EDITOR="cat; :" git -c user.name=a -c user.email=a@b.c commit --allow-empty',
    ],
    'the editor of a commit reads stdin',
    { needs: ['git'], settle: 1500 },
  ),
  healthy(
    'bwrap sleep',
    ['timer'],
    ['bwrap', '--bind', '/', '/', '--dev', '/dev', '--proc', '/proc', '--unshare-all', 'sleep', '1000'],
    'sleeps in namespaces of its own',
    { ends: 1000 },
  ),
  healthy(
    'tini sleep',
    ['timer', 'ticking'],
    ['tini', '-s', '--', 'sleep', '1000'],
    'sleeps below an init that looks each second',
    { moves: true, settle: 1500, ends: 1000 },
  ),
  healthy(
    'strace sleep',
    ['timer'],
    ['strace', '-f', '-o', '/dev/null', 'sleep', '1000'],
    'sleeps under a tracer of its tree',
    { ends: 1000 },
  ),
  typed('bash', ['bash', '-c', 'read -p "Go on? " x'], 'asks at a terminal at which nobody types'),
  typed(
    'getpass',
    ['python3', '-c', 'import getpass; getpass.getpass()'],
    'asks for a password at a terminal at which nobody types',
  ),
  typed('input', ['python3', '-c', 'input("name: ")'], 'asks at a terminal at which nobody types'),
  typed('ssh-keygen', ['ssh-keygen', '-t', 'ed25519', '-f', '{dir}/key'], 'asks for a passphrase twice'),
  typed('bc', ['bc', '-q'], 'a readline program at its prompt'),
  typed('gdb', ['gdb', '-q', '-nx'], 'a readline program at its prompt'),
  typed('sqlite3', ['sqlite3', '{dir}/db'], 'a line editor at its prompt'),
  typed('less', ['less', '/etc/services'], 'a pager waits for a key'),
  typed('whiptail', ['whiptail', '--yesno', 'Go on?', '8', '30'], 'a dialog waits for a key'),
  typed('openssl passwd', ['openssl', 'passwd', '-6'], 'asks for a password'),
]
