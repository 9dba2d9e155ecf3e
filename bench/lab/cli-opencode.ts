/** How OpenCode, and its fork Kilo Code, run in the lab. */
import { type LabCli, labCommand } from '../../scripts/setup-lab.ts'
import type { Runs } from './lab-agent.ts'

type Fork = {
  readonly cli: LabCli
  /** Of its settings, below the home. */
  readonly file: string
  readonly env: Readonly<Record<string, string>>
  readonly permission?: Readonly<Record<string, string>>
  readonly apiKey: string
}

/** The model stands in its environment, so that two may share a home. */
const runsOf =
  ({ cli, file, env, permission = {}, apiKey }: Fork): Runs =>
  (_place, model) => ({
    command: [labCommand(cli)],
    env: { LAB_MODEL: model, ...env },
    files: {
      [file]: {
        autoupdate: false,
        share: 'disabled',
        model: 'lab/lab-model',
        small_model: 'lab/lab-model',
        permission: { bash: { '*': 'ask', 'sleep *': 'allow', 'echo *': 'allow' }, ...permission },
        enabled_providers: ['lab'],
        provider: {
          lab: {
            npm: '@ai-sdk/openai-compatible',
            name: 'Lab',
            options: { baseURL: '{env:LAB_MODEL}/v1', apiKey },
            models: {
              'lab-model': { name: 'Lab model', limit: { context: 128_000, output: 8000 }, tool_call: true },
            },
          },
        },
      },
    },
    trustsHooks: [],
    headless: prompt => ['run', '--format', 'json', prompt],
    keys: { submit: ['Enter'], approve: ['Enter'], interrupt: ['Escape', 'Escape'], quit: ['C-c', 'C-c'] },
    screen: { ready: /Ask anything/, permission: /Permission required/, interrupted: /interrupted/i },
  })

export const opencode = runsOf({
  cli: 'opencode',
  file: '.config/opencode/opencode.json',
  env: {
    OPENCODE_DISABLE_AUTOUPDATE: '1',
    OPENCODE_DISABLE_MODELS_FETCH: '1',
    OPENCODE_DISABLE_LSP_DOWNLOAD: '1',
  },
  apiKey: 'sk-ant-lab-00000000000000000000',
})

/** It asks its maker's server for models and plugins first: half a minute where there is none. */
export const kilo = runsOf({
  cli: 'kilo',
  file: '.config/kilo/kilo.json',
  env: {
    KILO_DISABLE_AUTOUPDATE: '1',
    KILO_DISABLE_MODELS_FETCH: '1',
    KILO_DISABLE_LSP_DOWNLOAD: '1',
    KILO_DISABLE_DEFAULT_PLUGINS: '1',
    KILO_DISABLE_SESSION_INGEST: '1',
  },
  permission: { external_directory: 'allow' },
  apiKey: 'sk-lab-000000000000',
})
