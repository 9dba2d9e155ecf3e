/** A unit by which systemd (or launchd) starts the host, with its API, when its user logs in. */
import path from 'node:path'
import { whoDecides } from '../../bin/own-folder.js'
import { ownFileInstalled } from '../hooks/install/desired.ts'
import { carryOut } from '../hooks/install/install.ts'
import { leftAsItIs } from '../hooks/install/install-error.ts'
import type { InstallPlace } from '../hooks/install/settings-path.ts'
import { homeOf } from '../os/file/places.ts'
import { ownProgram } from '../os/spawn/own-program.ts'

export type Unit = {
  readonly file: string
  readonly text: string
  /** What a person runs next. */
  readonly next: string
}

/** By these lull finds its folders: a host without them would be another one. */
const placeNames = ['XDG_STATE_HOME', 'XDG_CONFIG_HOME', 'LULL_RUNTIME_DIR'] as const

/** systemd reads quotes and `%` (systemd.syntax(7), systemd.unit(5)). */
const quoted = (word: string): string => `"${word.replace(/["\\]/g, '\\$&').replaceAll('%', '%%')}"`
/** In ExecStart, `$` too. */
const systemdWord = (word: string): string => quoted(word).replaceAll('$', '$$$$')

/** A unit of lull's says so in its first lines; those of a lull before this one are like it up to the program. */
const isOurs = (text: string): boolean =>
  text.startsWith('[Unit]\nDescription=lull: ') || /<key>Label<\/key>\s*<string>lull<\/string>/.test(text)

const xml = (text: string): string =>
  text.replace(/[&<>]/g, sign => ({ '&': '&amp;', '<': '&lt;', '>': '&gt;' })[sign] as string)

export function unitFor(
  env: Readonly<Record<string, string | undefined>>,
  platform: NodeJS.Platform = process.platform,
  program: readonly string[] = [process.execPath, ownProgram],
): Unit {
  const words = [...program, 'host', 'run']
  const home = homeOf(env)
  const kept = placeNames.flatMap((name): [string, string][] => (env[name] ? [[name, env[name]]] : []))
  if (platform === 'darwin') {
    const file = path.join(home, 'Library/LaunchAgents/lull.plist')
    const strings = words.map(word => `    <string>${xml(word)}</string>`).join('\n')
    return {
      file,
      next: `launchctl load ${file} (untested: nobody has tried lull's unit on macOS yet)`,
      text: `<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
<plist version="1.0">
<dict>
  <key>Label</key>
  <string>lull</string>
  <key>ProgramArguments</key>
  <array>
${strings}
  </array>
  <key>EnvironmentVariables</key>
  <dict>
${kept.map(([name, value]) => `    <key>${name}</key>\n    <string>${xml(value)}</string>\n`).join('')}  </dict>
  <key>RunAtLoad</key>
  <true/>
</dict>
</plist>
`,
    }
  }
  return {
    file: path.join(env.XDG_CONFIG_HOME || path.join(home, '.config'), 'systemd/user/lull.service'),
    next: 'lull host stop; systemctl --user enable --now lull',
    text: `[Unit]
Description=lull: whether coding agents work, are idle, wait for a person or are stuck

[Service]
Type=exec
${kept.map(([name, value]) => `Environment=${quoted(`${name}=${value}`)}\n`).join('')}ExecStart=${words.map(systemdWord).join(' ')}
Restart=on-failure
# Agents and terminals are not its own: they go on when it stops.
KillMode=process

[Install]
WantedBy=default.target
`,
  }
}

/** @throws {LullError} INSTALL_REFUSED where it can't be written safely, or is not lull's */
export async function writeUnit({ file, text }: Unit, where: InstallPlace): Promise<void> {
  // A link of another user would let them say where lull writes.
  const decider = whoDecides(file)
  if (typeof decider === 'object') throw leftAsItIs(`${file} is not safe, since ${decider.other}`)
  if (decider === 'anybody') throw leftAsItIs(`${file} is in a folder in which others may write`)
  const unit = ownFileInstalled({ file, text, mode: 0o644, events: [], isOurs })
  await carryOut([{ file, kind: unit }], { where, isDry: false })
}
