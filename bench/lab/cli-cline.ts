/** How Cline is run in the lab. */
import { labCommand } from '../../scripts/setup-lab.ts'
import type { Runs } from './lab-agent.ts'

const provider = 'openai-compatible'

export const cline: Runs = (_place, model) => ({
  command: [labCommand('cline')],
  env: { CLINE_TELEMETRY_DISABLED: '1', CLINE_NO_AUTO_UPDATE: '1' },
  files: {
    /** As `cline auth` writes it. */
    '.cline/data/settings/providers.json': {
      version: 1,
      lastUsedProvider: provider,
      modes: {},
      providers: {
        [provider]: {
          settings: { provider, apiKey: 'lab', model: 'lab-model', baseUrl: `${model}/v1` },
          updatedAt: '2026-01-01T00:00:00.000Z',
          tokenSource: 'manual',
        },
      },
    },
    /** Otherwise it opens with an advertisement. */
    '.cline/data/settings/cli-notices.json': {
      shown: { 'cline-cli-cline-pass-intro': true, 'cline-cli-desktop-launch': true },
    },
  },
  trustsHooks: [],
  headless: prompt => ['--json', prompt],
  keys: { submit: ['Enter'], approve: ['y'], interrupt: ['Escape'], quit: ['C-c', 'C-c'] },
  screen: {
    ready: /What can I do/,
    permission: /Cline needs permission|\[y\] Approve/,
    interrupted: /cancelled|aborted|interrupted/i,
  },
})
