/** How each CLI is run in the lab: its program, environment, files, keys and screens. Data; run.ts acts on it. */

import { createHash } from 'node:crypto'
import path from 'node:path'
import { type LabCli, labCommand, labVersion } from '../../scripts/setup-lab.ts'
import { auggie, cn, nanocoder } from './by-screen.ts'
import { cline } from './cli-cline.ts'
import { copilot } from './cli-copilot.ts'
import { kilo, opencode } from './cli-opencode.ts'
import { qwen } from './cli-qwen.ts'
import type { LabAgent, Runs } from './lab-agent.ts'
import type { Place } from './place.ts'

/** Any key would do; Claude Code asks about one that it does not know by its last twenty characters. */
const key = 'sk-ant-lab-00000000000000000000'

/**
 * An emptied environment. Traffic beyond loopback ends at a proxy that is not there: CLIs ask for news and
 * plugins at start, whatever they are told.
 */
export const environmentOf = (agent: LabAgent, place: Place): Record<string, string> => ({
  PATH: [path.dirname(process.execPath), '/usr/local/bin', '/usr/bin', '/bin'].join(':'),
  HOME: place.home,
  TMPDIR: place.temp,
  LANG: 'C.UTF-8',
  SHELL: '/bin/bash',
  HTTP_PROXY: 'http://127.0.0.1:9',
  HTTPS_PROXY: 'http://127.0.0.1:9',
  NO_PROXY: '127.0.0.1,localhost',
  ...agent.env,
})

const table: Readonly<Record<LabCli, Runs>> = {
  qwen,
  copilot,
  cline,
  kilo,
  auggie,
  cn,
  nanocoder,
  claude: (place, model) => ({
    command: [labCommand('claude')],
    env: {
      ANTHROPIC_BASE_URL: model,
      ANTHROPIC_API_KEY: key,
      CLAUDE_CODE_TMPDIR: place.temp,
      CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
      DISABLE_AUTOUPDATER: '1',
      DISABLE_TELEMETRY: '1',
      DISABLE_ERROR_REPORTING: '1',
    },
    files: {
      '.claude.json': {
        hasCompletedOnboarding: true,
        lastOnboardingVersion: labVersion('claude'),
        theme: 'dark',
        /** Otherwise 2.1.330 offers at start to make `auto` the permission mode. */
        hasSeenAutoDefaultNudge: true,
        officialMarketplaceAutoInstallAttempted: true,
        customApiKeyResponses: { approved: [key.slice(-20)], rejected: [] },
        projects: { [place.work]: { hasTrustDialogAccepted: true, hasCompletedProjectOnboarding: true } },
      },
      /** The mode that asks; since 2.1.3xx `auto` is the standard. */
      '.claude/settings.json': { permissions: { defaultMode: 'default' } },
    },
    trustsHooks: [],
    headless: prompt => ['-p', '--output-format', 'stream-json', '--verbose', prompt],
    keys: { submit: ['Enter'], approve: ['Enter'], interrupt: ['Escape'], quit: ['C-c', 'C-c'] },
    screen: {
      ready: /\? for shortcuts/,
      permission: /Do you want to proceed\?/,
      interrupted: /Interrupted/,
    },
  }),
  codex: (place, model) => ({
    command: [labCommand('codex')],
    env: { LAB_KEY: key },
    files: {
      '.codex/config.toml': `model = "gpt-5-codex"
model_provider = "lab"
approval_policy = "on-request"
sandbox_mode = "read-only"
check_for_update_on_startup = false
[model_providers.lab]
name = "lab"
base_url = "${model}/v1"
env_key = "LAB_KEY"
wire_api = "responses"
[projects."${place.work}"]
trust_level = "trusted"
[analytics]
enabled = false
[features]
default_mode_request_user_input = true
`,
    },
    trustsHooks: ['--dangerously-bypass-hook-trust'],
    headless: prompt => ['exec', '--json', '--skip-git-repo-check', prompt],
    keys: { submit: ['Enter'], approve: ['y'], interrupt: ['Escape'], quit: ['C-c', 'C-c'] },
    screen: {
      /** The footer with the folder comes once the app server has answered; before it, keys are lost. */
      ready: /› [^\n]*\n[\s\S]*·[^\n]*\/work/,
      permission: /Would you like to run the following command\?/,
      interrupted: /interrupted/i,
    },
  }),
  opencode,
  gemini: (_place, model) => ({
    command: [labCommand('gemini')],
    env: { GEMINI_API_KEY: key, GOOGLE_GEMINI_BASE_URL: model },
    files: {
      '.gemini/settings.json': {
        general: {
          enableAutoUpdate: false,
          enableAutoUpdateNotification: false,
          defaultApprovalMode: 'default',
        },
        privacy: { usageStatisticsEnabled: false },
        telemetry: { enabled: false },
        security: { auth: { selectedType: 'gemini-api-key' }, folderTrust: { enabled: false } },
        ui: { theme: 'Default', hideTips: true },
      },
      '.gemini/policies/lab.toml': `[[rule]]
toolName = "run_shell_command"
commandPrefix = ["sleep", "echo"]
decision = "allow"
priority = 100
`,
    },
    trustsHooks: [],
    headless: prompt => ['--output-format', 'stream-json', '--prompt', prompt],
    keys: { submit: ['Enter'], approve: ['Enter'], interrupt: ['Escape'], quit: ['C-c', 'C-c'] },
    screen: { ready: /Type your message/, permission: /Allow execution of \[/, interrupted: /cancelled/i },
  }),
  /** It has neither permissions nor questions. */
  pi: (_place, model) => ({
    command: [labCommand('pi'), '--provider', 'lab', '--model', 'lab-model'],
    env: { PI_OFFLINE: '1', PI_SKIP_VERSION_CHECK: '1' },
    files: {
      '.pi/agent/models.json': {
        providers: {
          lab: {
            baseUrl: `${model}/v1`,
            api: 'openai-completions',
            apiKey: key,
            models: [
              {
                id: 'lab-model',
                name: 'Lab model',
                reasoning: false,
                input: ['text'],
                contextWindow: 128_000,
                maxTokens: 8000,
                cost: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 },
              },
            ],
          },
        },
      },
      '.pi/agent/settings.json': { quietStartup: true },
    },
    trustsHooks: [],
    headless: prompt => ['--mode', 'json', '--print', prompt],
    keys: { submit: ['Enter'], approve: ['Enter'], interrupt: ['Escape'], quit: ['C-c', 'C-c'] },
    screen: { ready: /lab-model/, permission: undefined, interrupted: /aborted/i },
  }),
  kimi: (place, model) => ({
    command: [labCommand('kimi')],
    env: {
      KIMI_MODEL_NAME: 'lab-model',
      KIMI_MODEL_API_KEY: key,
      KIMI_MODEL_PROVIDER_TYPE: 'openai',
      KIMI_MODEL_BASE_URL: `${model}/v1`,
      KIMI_CODE_NO_AUTO_UPDATE: '1',
    },
    files: {
      [`.kimi-code/workspace-trust/wd_work_${createHash('sha256').update(place.work).digest('hex').slice(0, 12)}`]:
        {
          root: place.work,
          trustedAt: 1,
        },
    },
    trustsHooks: [],
    headless: prompt => ['--output-format', 'stream-json', '--prompt', prompt],
    keys: { submit: ['Enter'], approve: ['Enter'], interrupt: ['Escape'], quit: ['C-c', 'C-c'] },
    screen: { ready: /context: 0%/, permission: /Run this command\?/, interrupted: /Interrupted/ },
  }),
  grok: (_place, model) => ({
    command: [labCommand('grok')],
    env: { XAI_API_KEY: key, GROK_DISABLE_AUTOUPDATER: '1' },
    files: {
      '.grok/config.toml': `[ui]
permission_mode = "ask"
[models]
default = "lab"
[model.lab]
model = "lab-model"
name = "Lab model"
base_url = "${model}/v1"
api_key = "${key}"
context_window = 128000
`,
    },
    trustsHooks: [],
    headless: prompt => ['--output-format', 'streaming-json', '-p', prompt],
    /** It makes a file unasked, which is all that the scripted model wants to do. */
    keys: { submit: ['Enter'], approve: ['2', 'Enter'], interrupt: ['C-c'], quit: ['C-q', 'C-q'] },
    screen: { ready: /New worktree/, permission: undefined, interrupted: /cancelled/ },
  }),
  /** `airgap` is its word for working without its maker's server. */
  droid: (place, model) => ({
    command: [labCommand('droid')],
    env: {
      FACTORY_API_KEY: 'fk-lab-000000000000',
      FACTORY_AIRGAP_ENABLED: 'true',
      FACTORY_API_BASE_URL: model,
      FACTORY_DISABLE_KEYRING: '1',
    },
    files: {
      '.factory/settings.json': {
        model: 'custom:lab-model',
        customModels: [
          {
            model: 'lab-model',
            displayName: 'Lab',
            baseUrl: `${model}/v1`,
            apiKey: key,
            provider: 'generic-chat-completion-api',
            maxOutputTokens: 8000,
          },
        ],
        trustedFolders: { [place.work]: { trustedAt: '2026-11-01T00:00:00.000Z' } },
        commandAllowlist: ['sleep', 'echo'],
      },
    },
    trustsHooks: [],
    headless: prompt => ['exec', '--output-format', 'stream-json', prompt],
    keys: { submit: ['Enter'], approve: ['Enter'], interrupt: ['Escape'], quit: ['C-c', 'C-c'] },
    screen: { ready: /\? for help/, permission: /to approve\b/, interrupted: /cancelled/ },
  }),
}

/** What is known of a CLI, for a place and a model (`http://127.0.0.1:PORT`). */
export const labAgent = (name: LabCli, place: Place, model: string): LabAgent => ({
  name,
  ...table[name](place, model),
})
