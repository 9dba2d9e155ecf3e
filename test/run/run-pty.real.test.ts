/** `lull run` at a terminal: the command gets one of its own, keys reach it, and ours is as it was. */
import { type IPty, spawn } from '@lydell/node-pty'
import { afterEach, test } from 'vitest'
import { bin } from '../support/lull.ts'
import { ownPlaces } from '../support/running.ts'
import { until } from '../support/until.ts'

const open: IPty[] = []
afterEach(() => {
  for (const terminal of open.splice(0)) terminal.kill('SIGKILL')
})

/** A shell in a terminal in which `lull` is at hand. */
function terminal() {
  const env = { ...process.env, ...ownPlaces(), PS1: '$ ', LULL: `${process.execPath} ${bin} run` }
  const pty = spawn('bash', ['--norc', '--noediting'], { env, cols: 101, rows: 33 })
  open.push(pty)
  let shown = ''
  pty.onData(text => {
    shown += text
  })
  return {
    pty,
    type: (keys: string) => pty.write(keys),
    shows: (text: string | RegExp) =>
      until(
        () => shown,
        all => (typeof text === 'string' ? all.includes(text) : text.test(all)),
        `"${text}"`,
      ),
  }
}

test('--pty: a terminal of our size, keys and Ctrl+C reach it, settings are put back', async () => {
  const { type, shows, pty } = terminal()
  const script = 'test -t 0 -a -t 1 && stty size; read x; echo "got <$x>"; read y; echo never'
  type(`$LULL --pty -- bash -c '${script}'\r`)
  await shows('33 101\r\n')
  pty.resize(90, 20)
  type('abc\r')
  await shows('got <abc>')
  type('\u0003')
  await shows('ended by SIGINT')
  type(`echo "code $?"; stty -a | grep -o '[-]*icanon'\r`)
  await shows(/^(\$ )?code 130/m)
  await shows(/^(\$ )?icanon/m)
})

test('--stdin inherit at a terminal is a terminal, and is refused where output is redirected', async () => {
  const { type, shows } = terminal()
  type(`$LULL --stdin inherit -- sh -c 'read x; echo "<$x>"'\r`)
  // What is typed ahead is not lost.
  type('typed\r')
  await shows('<typed>')
  await shows('exit 0 after')
  type('$LULL --stdin inherit -- cat > /dev/null; echo "code $?"\r')
  await shows('do not redirect them, or use --pty')
  await shows('code 2')
})

test('without it, the command has no terminal, and Ctrl+C and Ctrl+Z still reach it', async () => {
  const { type, shows } = terminal()
  type(`$LULL -- sh -c 'test -t 1 || echo piped; while :; do sleep 0.1; echo tick; done'\r`)
  await shows(/^(\$ )?piped/m)
  type('\u001a')
  await shows(/Stopped/)
  type('fg\r')
  // Ctrl+C would throw away what is typed and not read yet.
  await shows(/fg\r\n[\s\S]*\ntick/)
  type('\u0003')
  await shows(/ended by SIGINT/)
})

test('--pty: a command that a real-time signal ends has not succeeded', async () => {
  const { type, shows } = terminal()
  type(`$LULL --pty -- bash -c 'kill -RTMIN $$'; echo "code $?"\r`)
  await shows('exit 162 after')
  await shows(/^code 162/m)
})
