/** How Qwen Code is run in the lab. */
import { labCommand } from '../../scripts/setup-lab.ts'
import type { Runs } from './lab-agent.ts'

export const qwen: Runs = (_place, model) => ({
  command: [labCommand('qwen')],
  env: { OPENAI_API_KEY: 'lab', OPENAI_BASE_URL: `${model}/v1`, OPENAI_MODEL: 'lab-model' },
  files: {
    '.qwen/settings.json': {
      security: { auth: { selectedType: 'openai' }, folderTrust: { enabled: false } },
      general: { enableAutoUpdate: false },
      privacy: { usageStatisticsEnabled: false },
      telemetry: { enabled: false },
      /** The suggestions are requests of a finished session. */
      ui: { theme: 'Qwen Dark', enableFollowupSuggestions: false },
      /** So are its notes on what to remember. */
      memory: { enableManagedAutoMemory: false, enableManagedAutoDream: false },
      tools: { approvalMode: 'default' },
      permissions: { allow: ['Bash(sleep *)', 'Bash(sh -c *)', 'Bash(echo *)'] },
    },
  },
  trustsHooks: [],
  headless: prompt => ['--approval-mode', 'yolo', '--output-format', 'stream-json', '--prompt', prompt],
  keys: { submit: ['Enter'], approve: ['Enter'], interrupt: ['Escape'], quit: ['C-c', 'C-c'] },
  screen: {
    ready: /Type your message|\? for shortcuts/,
    permission: /Waiting for user confirmation|Yes, allow once|Allow execution of/,
    interrupted: /cancelled/i,
  },
})
