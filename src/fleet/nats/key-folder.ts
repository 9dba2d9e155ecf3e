/** The folder in which one who runs a fleet keeps its users: their public keys, and the configuration made of them. */
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { nkeys } from '@nats-io/transport-node'
import { z } from 'zod'
import { LullError } from '../../core/lull-error.ts'
import { readJsonFile, writeJsonFile } from '../../os/file/json-file.ts'
import { configFolderOf, type Env } from '../../os/file/places.ts'
import { type FleetRole, type FleetUser, fleetRoles, serverConfig } from './fleet-keys.ts'
import { checkHostName } from './subjects.ts'

const usersShape = z.object({
  users: z.array(
    z.strictObject({
      name: z.string(),
      roles: z.array(z.enum(fleetRoles)).min(1),
      key: z.string().regex(/^U[A-Z2-7]{55}$/),
    }),
  ),
})

/** @param dir beside the settings of lull where not given */
export function keyFolder(dir: string | undefined, env: Env) {
  const folder = path.resolve(dir ?? path.join(configFolderOf(env), 'fleet-keys'))
  const usersFile = path.join(folder, 'users.json')
  const configFile = path.join(folder, 'fleet.conf')

  /** @throws {LullError} REFUSED_FILE */
  function users(): readonly FleetUser[] {
    if (!existsSync(usersFile)) return []
    const read = usersShape.safeParse(readJsonFile(usersFile))
    if (read.success) return read.data.users
    throw new LullError(
      'REFUSED_FILE',
      `${usersFile} holds no users of a fleet: ${read.error.issues[0]?.message ?? ''}`,
    )
  }

  function write(all: readonly FleetUser[]): void {
    mkdirSync(folder, { recursive: true, mode: 0o700 })
    writeJsonFile(usersFile, { users: all }, 2)
    writeFileSync(configFile, serverConfig(all), { mode: 0o600 })
  }

  return {
    configFile,
    users,
    init: () => write(users()),
    /**
     * @returns the file of its secret key, which belongs on that machine alone
     * @throws {LullError} NAME_TAKEN, USAGE
     */
    add(name: string, roles: readonly FleetRole[]): string {
      checkHostName(name)
      if (!existsSync(usersFile))
        throw new LullError(
          'USAGE',
          `${folder} has no keys yet: run lull fleet keys init, on the machine of the server, and there this`,
        )
      const before = users()
      if (before.some(user => user.name === name))
        throw new LullError('NAME_TAKEN', `${name} has a key already: lull fleet keys revoke ${name} ends it`)
      const pair = nkeys.createUser()
      const file = path.join(folder, `${name}.nk`)
      write([...before, { name, roles, key: pair.getPublicKey() }])
      writeFileSync(file, `# ${name}\n${new TextDecoder().decode(pair.getSeed())}\n`, { mode: 0o600 })
      return file
    },
    /** @throws {LullError} USAGE */
    revoke(name: string): void {
      const before = users()
      const after = before.filter(user => user.name !== name)
      if (after.length === before.length) throw new LullError('USAGE', `${name} has no key in ${folder}`)
      write(after)
    },
  }
}
