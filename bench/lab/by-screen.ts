/** How the CLIs run in the lab of which lull reads nothing but the screen, as far as agents.ts does not have them. */
import { labCommand } from '../../scripts/setup-lab.ts'
import type { Runs } from './lab-agent.ts'

/** Its session names the server of its maker: here the model's. It asks only for what a flag names. */
export const auggie: Runs = (place, model) => ({
  command: [
    labCommand('auggie'),
    '--permission',
    'launch-process:ask-user',
    '--permission',
    'save-file:ask-user',
  ],
  env: { AUGMENT_DISABLE_AUTO_UPDATE: '1' },
  files: {
    '.augment/session.json': { accessToken: 'lab', tenantURL: `${model}/`, scopes: ['email'] },
    '.augment/settings.json': { indexingDenyDirs: [place.work] },
    '.augment/.auggie.json': { sessionCount: 3, onboardingVersion: '1.0.0' },
  },
  trustsHooks: [],
  headless: prompt => ['--print', '--output-format', 'json', prompt],
  keys: { submit: ['Enter'], approve: ['a'], interrupt: ['Escape'], quit: ['C-c', 'C-c'] },
  screen: {
    ready: /\? to show shortcuts/,
    permission: /Tool Approval Required/,
    interrupted: /interrupted/i,
  },
})

/** Continue. */
export const cn: Runs = (place, model) => ({
  command: [labCommand('cn'), '--config', `${place.home}/.continue/config.yaml`],
  env: { CONTINUE_TELEMETRY_ENABLED: '0' },
  files: {
    '.continue/config.yaml': `name: Lab
version: 1.0.0
schema: v1
models:
  - name: Lab model
    provider: openai
    model: lab-model
    apiBase: ${model}/v1
    apiKey: sk-lab-000000000000
    roles: [chat]
    capabilities: [tool_use]
`,
  },
  trustsHooks: [],
  headless: prompt => ['-p', '--format', 'json', prompt],
  keys: { submit: ['Enter'], approve: ['Enter'], interrupt: ['Escape'], quit: ['C-c', 'C-c'] },
  screen: { ready: /Ask anything/, permission: /Would you like to continue\?/, interrupted: /interrupted/i },
})

export const nanocoder: Runs = (place, model) => ({
  command: [labCommand('nanocoder')],
  env: {},
  files: {
    '.config/nanocoder/agents.config.json': {
      nanocoder: {
        providers: [
          { name: 'Lab', baseUrl: `${model}/v1`, apiKey: 'sk-lab-000000000000', models: ['lab-model'] },
        ],
      },
    },
    '.config/nanocoder/nanocoder-preferences.json': { trustedDirectories: [place.work] },
  },
  trustsHooks: [],
  headless: prompt => ['run', '--json', prompt],
  keys: { submit: ['Enter'], approve: ['Enter'], interrupt: ['Escape'], quit: ['C-c', 'C-c'] },
  screen: { ready: /What would you like me to help with/, permission: /\bYes\b.*/, interrupted: /cancel/i },
})
