/** The day and the night of docs/tour.md: what is typed, what happens before it, and what the model answers. Data. */
import type { Step } from '../lab/directive.ts'

/** The windows of its person's tmux: two agents, a shell beside them, and the one that the commands are typed into. */
export type Window = 'lull' | 'web' | 'api' | 'build'

/** What happens before a command is typed. */
export type Act =
  | { readonly start: 'web' | 'api' }
  /** Its person types a prompt at the agent. */
  | { readonly prompt: 'web' | 'api'; readonly text: string }
  /** Until `lull ps --json` says so. */
  | { readonly until: 'web' | 'api'; readonly state: string; readonly doing?: string }
  /** Lets the command end that web runs. */
  | { readonly put: string }
  /** The agent's processes die. */
  | { readonly kill: 'api' }

export type TourStep = {
  /** As it stands behind `$ ` in the page. */
  readonly command: string
  readonly before?: readonly Act[]
  /** 0 where not given. */
  readonly code?: number
  /** It goes on until `q` is pressed: its screen is what it prints, once that shows this. */
  readonly screen?: RegExp
}

export const steps: readonly TourStep[] = [
  { command: 'lull host start' },
  { command: 'lull hooks install | tail -4' },
  {
    command: 'lull wait --any --for waiting',
    before: [
      { start: 'web' },
      { start: 'api' },
      { prompt: 'web', text: 'Fix the login form' },
      { until: 'web', state: 'working', doing: 'tool' },
      { prompt: 'api', text: 'Publish release 1.2' },
    ],
  },
  { command: 'lull ps' },
  { command: 'lull explain api' },
  { command: 'lull go' },
  { command: "tmux list-windows -F '#I #W#F'" },
  { command: 'lull answer api --list', code: 3 },
  { command: 'lull answer api yes' },
  { command: 'lull wait web api', before: [{ until: 'api', state: 'idle' }, { put: 'web/e2e.end' }] },
  { command: 'lull watch', screen: /done[\s\S]*done[\s\S]*enter go/ },
  { command: "lull send tmux:day:build 'sh test.sh' --wait" },
  { command: "lull send web 'Write the changelog' --wait" },
  { command: 'cat night.yaml' },
  { command: 'lull respawn web --plan night.yaml' },
  { command: 'lull since 1h', before: [{ kill: 'api' }, { until: 'api', state: 'exited' }] },
  { command: 'lull history ~/web --since 1h' },
]

/** What the model answers to a prompt: its n-th request gets the n-th of these. */
export const answers: Readonly<Record<string, readonly Step[]>> = {
  'Fix the login form': [
    {
      say: 'I run the tests.',
      call: { tool: 'shell', command: 'sh e2e.sh', asks: false },
    },
    { say: 'The login form works again. All 48 tests pass.' },
  ],
  'Publish release 1.2': [
    {
      say: 'All is ready to publish.',
      delay: 8000,
      call: { tool: 'shell', command: 'sh publish.sh', asks: true },
    },
    { say: 'Release 1.2 is published.' },
  ],
  'Write the changelog': [{ say: 'The changelog names the login form.', delay: 2000 }],
  'Do the next task of TODO.md': [{ say: 'The sign-up form is done as well.', delay: 3000 }],
  'Run the tests': [{ say: 'All 52 tests pass.', delay: 3000 }],
}

/** Files below its person's home. */
export const files: Readonly<Record<string, string>> = {
  'web/TODO.md': '- the sign-up form\n',
  '.claude/settings.json': '{ "permissions": { "defaultMode": "default", "allow": ["Bash(sh e2e.sh)"] } }',
  'web/e2e.sh': "until [ -e e2e.end ]; do sleep 0.1; done; sleep 8; echo '48 tests pass'\n",
  'web/test.sh': "sleep 1; echo 'login.test: 48 passed'; echo 'signup.test: 1 failed'; exit 1\n",
  'api/publish.sh': "echo 'published 1.2'\n",
  'night.yaml': `steps:
  - prompt: Do the next task of TODO.md
  - prompt: Run the tests
times: 1
`,
}
