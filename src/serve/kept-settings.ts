/** What `lull serve` was asked for, kept in a file: a host that starts anew opens the same door. */
import { existsSync, rmSync } from 'node:fs'
import path from 'node:path'
import { defined } from '../core/defined.ts'
import { LullError } from '../core/lull-error.ts'
import { attempt } from '../os/attempt.ts'
import { readJsonFile, writeJsonFile } from '../os/file/json-file.ts'
import { makeOwnFolder, type Places } from '../os/file/places.ts'
import { checkSettings, type ServeSettings } from './settings.ts'

export const serveFolder = ({ state }: Places): string => path.join(state, 'serve')
const settingsFile = (places: Places): string => path.join(serveFolder(places), 'settings.json')

/** Undefined where the API is not served. @throws {LullError} REFUSED_FILE where the file holds something else */
export function readSettings(places: Places): ServeSettings | undefined {
  const file = settingsFile(places)
  if (!isKept(places)) return undefined
  const { port, listen, readOnly, cert, key, proxy, recordings, on } = readJsonFile(file)
  const text = (value: unknown) => (typeof value === 'string' ? value : undefined)
  try {
    return checkSettings({
      port: Number(port),
      listen: text(listen) ?? '',
      readOnly: readOnly !== false,
      ...defined({ cert: text(cert), key: text(key), proxy: text(proxy), recordings: text(recordings) }),
      ...(Array.isArray(on) ? { on: on.flatMap(name => text(name) ?? []) } : {}),
    })
  } catch {
    throw new LullError('REFUSED_FILE', `${file} holds no settings of the API: lull serve writes it anew`)
  }
}

export const isKept = (places: Places): boolean => existsSync(settingsFile(places))

/** Undefined also where they can't be read: they are written anew. */
export const settingsBefore = (places: Places): ServeSettings | undefined =>
  attempt(() => readSettings(places))

export function writeSettings(places: Places, settings: ServeSettings): void {
  makeOwnFolder(serveFolder(places))
  writeJsonFile(settingsFile(places), settings, 2)
}

export const forgetSettings = (places: Places): void => rmSync(settingsFile(places), { force: true })
