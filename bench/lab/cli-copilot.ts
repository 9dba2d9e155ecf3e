/** How Copilot CLI is run in the lab. */
import { labCommand } from '../../scripts/setup-lab.ts'
import type { Runs } from './lab-agent.ts'

export const copilot: Runs = (place, model) => ({
  command: [labCommand('copilot'), '--allow-tool', 'shell(sleep)', '--allow-tool', 'shell(echo)'],
  env: {
    COPILOT_OFFLINE: 'true',
    COPILOT_AUTO_UPDATE: 'false',
    COPILOT_PROVIDER_BASE_URL: `${model}/v1`,
    COPILOT_PROVIDER_API_KEY: 'lab',
    COPILOT_MODEL: 'lab-model',
  },
  files: {
    '.copilot/config.json': {
      trusted_folders: [place.work],
      trustedFolders: [place.work],
      banner: 'never',
      firstLaunchAt: '2026-01-01T00:00:00.000Z',
    },
    '.copilot/settings.json': { trustedFolders: [place.work], banner: 'never' },
  },
  trustsHooks: [],
  headless: prompt => ['--output-format', 'json', '--prompt', prompt],
  keys: { submit: ['Enter'], approve: ['Enter'], interrupt: ['Escape', 'Escape'], quit: ['C-c', 'C-c'] },
  screen: {
    /** Before, the footer says that it loads, and keys are lost. */
    ready: /\/ commands/,
    permission: /Do you want to (allow|run|make|create|edit|proceed)/i,
    interrupted: /cancelled/i,
  },
})
