/** Destinations of notify.yaml: their kinds, and the schema with the message for each mistake. Pure. */
import { z } from 'zod'
import { must, textField } from '../../os/file/yaml-fields.ts'

const terminalSignals = ['bell', 'osc9', 'osc777'] as const

export type Destination =
  | { readonly by: 'desktop' }
  | { readonly by: 'ntfy'; readonly url: string; readonly tokenFile?: string; readonly answerAt?: string }
  | {
      readonly by: 'webhook'
      readonly url: string
      readonly format: 'json' | 'slack'
      readonly tokenFile?: string
      /** Where this host is reached: messages carry links that answer. */
      readonly answerAt?: string
    }
  | { readonly by: 'terminal'; readonly signal: (typeof terminalSignals)[number] }
  | { readonly by: 'command'; readonly words: readonly string[] }
  /** Open event streams of the host's API. */
  | { readonly by: 'page' }

/** Where the key is that signs what is sent: an environment variable, or a file of this user alone. */
export type SecretPlace = { readonly variable: string } | { readonly file: string }

/** A webhook that gets every transition of every session. */
export type TransitionsHook = {
  readonly by: 'transitions'
  readonly url: string
  readonly secret: SecretPlace
  readonly tokenFile?: string
}

export const oneOf = <const T extends readonly [string, ...string[]]>(names: T) =>
  z.enum(names, must(`one of ${names.join(', ')}`))

const address = z
  .string(must('an address'))
  .refine(isAddress, 'must be an address that begins with https:// or http://, without a password')

const word = z.string(must('a text'))
const aCommand = 'a list of words, the program first, like [/usr/local/bin/tell]: there is no shell'

const ways = {
  desktop: z.literal(true, must('true')).optional().describe('notify-send, or osascript on macOS'),
  ntfy: address.optional().describe('a topic of ntfy: https://ntfy.sh/a-name-that-nobody-guesses'),
  webhook: address.optional().describe('gets a POST'),
  terminal: oneOf(terminalSignals)
    .optional()
    .describe(
      'to the terminals in which you are attached to tmux: a bell, or a notification by OSC 9 or 777',
    ),
  command: z
    .array(word, must(aCommand))
    .min(1, `must be ${aCommand}`)
    .refine(([program = '']) => program !== '' && (!program.includes('/') || program.startsWith('/')), {
      message: 'must begin with a name on PATH or a full path: it runs in no folder of yours',
    })
    .optional()
    .describe('gets the message on stdin, as JSON, and in $LULL_NOTIFY_TITLE and $LULL_NOTIFY_TEXT'),
  page: z.literal(true, must('true')).optional().describe('open pages of lull serve, as an event'),
}
const wayNames = Object.keys(ways) as readonly (keyof typeof ways)[]

const aVariable = 'the name of an environment variable, like LULL_SECRET'

const allFields = z.strictObject(
  {
    ...ways,
    format: z
      .enum(['json', 'slack', 'transitions'], must('json, slack or transitions'))
      .optional()
      .describe('what the webhook gets: messages as json (the default) or for slack, or every transition'),
    token_file: textField
      .optional()
      .describe('a file of yours alone; what it holds is sent as a bearer token'),
    answer_at: address
      .optional()
      .describe(
        'where lull serve is reached, https://box.example.org: messages carry links that answer a dialog',
      ),
    secret_file: textField
      .optional()
      .describe('a file with mode 0600; what it holds signs each transition (HMAC-SHA256)'),
    secret_env: z
      .string(must(aVariable))
      .regex(/^[A-Za-z_]\w*$/, `must be ${aVariable}`)
      .optional()
      .describe('the same from an environment variable of the host'),
  },
  must('a mapping, like {desktop: true}'),
)

export type DestinationFields = z.output<typeof allFields>

type Mistake = readonly [message: string, at?: keyof DestinationFields]

export const destinationFields = allFields.superRefine((fields, context) => {
  const named = wayNames.filter(name => fields[name] !== undefined)
  const mistakes = named.length === 1 ? mistakesIn(fields) : [mistakenWays(named)]
  for (const [message, at] of mistakes)
    context.addIssue({ code: 'custom', message, path: at === undefined ? [] : [at] })
})

const mistakenWays = (named: readonly string[]): Mistake => [
  `must have one of ${wayNames.join(', ')}${named.length > 1 ? `, and has ${named.join(' and ')}` : ''}`,
]

function mistakesIn(fields: DestinationFields): readonly Mistake[] {
  const { webhook, ntfy, format, token_file, answer_at } = fields
  const url = webhook ?? ntfy
  const mistakes: Mistake[] = []
  if (format !== undefined && webhook === undefined) mistakes.push(['is of a webhook', 'format'])
  else mistakes.push(...secretMistakes(fields))
  if (token_file !== undefined && url === undefined)
    mistakes.push(['is of a webhook or of ntfy', 'token_file'])
  if (token_file !== undefined && url !== undefined && !isPrivate(url))
    mistakes.push([
      'must begin with https:// where a token is sent to another machine',
      webhook === undefined ? 'ntfy' : 'webhook',
    ])
  if (answer_at !== undefined && (url === undefined || format === 'transitions'))
    mistakes.push(['is of ntfy, or of a webhook that gets messages', 'answer_at'])
  if (answer_at !== undefined && !isPrivate(answer_at))
    mistakes.push([
      'must begin with https://, unless it is this machine: whoever reads a link may answer',
      'answer_at',
    ])
  if (answer_at !== undefined && isAddress(answer_at) && !isOrigin(new URL(answer_at)))
    mistakes.push(['must have no path, and no ? or # behind it: like https://box.example.org', 'answer_at'])
  if (ntfy !== undefined && isAddress(ntfy) && topicOf(ntfy) === '')
    mistakes.push(['must end in the name of a topic', 'ntfy'])
  return mistakes
}

function secretMistakes({ webhook, format, secret_file, secret_env }: DestinationFields): readonly Mistake[] {
  const secrets = (['secret_file', 'secret_env'] as const).filter(
    (_, n) => [secret_file, secret_env][n] !== undefined,
  )
  if (format !== 'transitions') return secrets.map(name => ['is of format: transitions', name])
  const mistakes: Mistake[] = []
  if (secrets.length === 0)
    mistakes.push(['transitions needs secret_file or secret_env: each request is signed', 'format'])
  if (secrets.length === 2)
    mistakes.push(['must be left out, or secret_file: one secret signs', 'secret_env'])
  if (webhook !== undefined && !isPrivate(webhook))
    mistakes.push(['must begin with https:// where transitions are sent to another machine', 'webhook'])
  return mistakes
}

function isAddress(value: string): boolean {
  if (!URL.canParse(value)) return false
  const { protocol, username, password } = new URL(value)
  return /^https?:$/.test(protocol) && username === '' && password === ''
}

/** A link begins with it. */
const isOrigin = ({ href, origin }: URL): boolean => href === `${origin}/`

/** Nobody between reads what is sent there. */
function isPrivate(value: string): boolean {
  if (!URL.canParse(value)) return false
  const { protocol, hostname } = new URL(value)
  return protocol === 'https:' || /^(?:localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(hostname)
}

/** The last part of its path. */
export const topicOf = (url: string): string => new URL(url).pathname.split('/').at(-1) ?? ''
