/** Who may do what in a fleet, as the configuration of a NATS server says it: each machine has a key of its own. Pure. */
import {
  histories,
  historySubject,
  noteSubject,
  notes,
  openSubject,
  pipeSubject,
  storedSubject,
} from './subjects.ts'

/** `host`: is shown. `viewer`: looks at the others. `operator`: acts on them, too. */
export const fleetRoles = ['host', 'viewer', 'operator'] as const
export type FleetRole = (typeof fleetRoles)[number]

export type FleetUser = {
  /** Of the machine: a host publishes under no other one. */
  readonly name: string
  readonly roles: readonly FleetRole[]
  /** The public key (https://docs.nats.io/running-a-nats-service/configuration/securing_nats/auth_intro/nkey_auth). */
  readonly key: string
}

/** What is sent to it comes to a subject that no other user may read. */
export const inboxOf = (key: string): string => `_INBOX.${key}`

/** Requests of JetStream (https://docs.nats.io/reference/reference-protocols/nats_api_reference): for the list of hosts, and their histories. */
const toRead = [notes.name, histories.name].flatMap(stream => [
  `$JS.API.STREAM.INFO.${stream}`,
  `$JS.API.STREAM.CREATE.${stream}`,
  `$JS.API.CONSUMER.CREATE.${stream}.>`,
  `$JS.API.CONSUMER.CREATE.${stream}`,
  `$JS.API.CONSUMER.INFO.${stream}.>`,
  `$JS.API.CONSUMER.DELETE.${stream}.>`,
  `$JS.API.CONSUMER.MSG.NEXT.${stream}.>`,
  `$JS.API.DIRECT.GET.${stream}.>`,
  `$JS.API.STREAM.MSG.GET.${stream}`,
])

function permissionsOf({ name, roles, key }: FleetUser) {
  const may = (role: FleetRole): boolean => roles.includes(role)
  const looks = may('viewer') || may('operator')
  return {
    publish: [
      // To answer who asks. Before it joins it asks whether another one has its name. Of JetStream it asks for nothing (`fleet-streams.ts`).
      ...(may('host')
        ? ['_INBOX.>', openSubject(name, 'read', name), noteSubject(name), historySubject(name)]
        : []),
      ...(looks ? [openSubject('*', 'read', name), pipeSubject('*', '*'), ...toRead, '$JS.FC.>'] : []),
      ...(may('operator')
        ? [openSubject('*', 'act', name), noteSubject('*'), `$JS.API.STREAM.PURGE.${histories.name}`]
        : []),
    ],
    subscribe: [
      `${inboxOf(key)}.>`,
      ...(may('host')
        ? [
            ...[openSubject(name, 'read', '*'), openSubject(name, 'act', '*'), pipeSubject(name, '*')],
            storedSubject(name, '*'),
          ]
        : []),
      // Where it removes a host.
      ...(may('operator') ? [storedSubject('*', '*')] : []),
    ],
  }
}

const list = (subjects: readonly string[]): string =>
  `[${subjects.map(one => JSON.stringify(one)).join(', ')}]`

/** To be included in the configuration of the server. */
export function serverConfig(users: readonly FleetUser[]): string {
  const rows = users.map(user => {
    const { publish, subscribe } = permissionsOf(user)
    return [
      `    # ${user.name}: ${user.roles.join(', ')}`,
      `    { nkey: ${user.key}, permissions: {`,
      `      publish: { allow: ${list(publish)} }`,
      `      subscribe: { allow: ${list(subscribe)} } } }`,
    ].join('\n')
  })
  return `# Written by lull fleet keys: changes are lost. Include it, and let the server read it again: nats-server --signal reload
authorization {
  users = [
${rows.join('\n')}
  ]
}
`
}
