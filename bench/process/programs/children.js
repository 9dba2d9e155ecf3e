// Children that read: `inherit`: `cat` on our own stdin, waited for; `unended`: `cat` on a pipe that is never ended.
import { spawn, spawnSync } from 'node:child_process'

if (process.argv[2] === 'inherit') spawnSync('cat', { stdio: ['inherit', 'pipe', 'pipe'] })
else spawn('cat', { stdio: 'pipe' }).stdout.resume()
