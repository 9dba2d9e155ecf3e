/** A unit by which systemd (or launchd) starts the host, with its API, when its user logs in. */
import { mkdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { notWritten } from '../core/error-sentence.ts'
import { homeOf } from '../os/file/places.ts'
import { ownProgram } from '../os/spawn/own-program.ts'

export type Unit = {
  readonly file: string
  readonly text: string
  /** What a person runs next. */
  readonly next: string
}

/** A word of ExecStart: systemd reads quotes, `%` and `$`. */
const systemdWord = (word: string): string =>
  `"${word.replace(/["\\]/g, '\\$&').replaceAll('%', '%%').replaceAll('$', '$$$$')}"`

const xml = (text: string): string =>
  text.replace(/[&<>]/g, sign => ({ '&': '&amp;', '<': '&lt;', '>': '&gt;' })[sign] as string)

export function unitFor(
  env: Readonly<Record<string, string | undefined>>,
  platform: NodeJS.Platform = process.platform,
  program: readonly string[] = [process.execPath, ownProgram],
): Unit {
  const words = [...program, 'host', 'run']
  const home = homeOf(env)
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
ExecStart=${words.map(systemdWord).join(' ')}
Restart=on-failure
# Agents and terminals are not its own: they go on when it stops.
KillMode=process

[Install]
WantedBy=default.target
`,
  }
}

/** @throws {LullError} REFUSED_FILE where it can't be written */
export function writeUnit({ file, text }: Unit): void {
  try {
    mkdirSync(path.dirname(file), { recursive: true })
    writeFileSync(file, text)
  } catch (error) {
    throw notWritten(error, file)
  }
}
