/** The groups of `lull --help` in the order of need, and the text below each help: times and examples. */
import type { Command } from 'commander'
export const commandGroups: Readonly<Record<string, readonly string[]>> = {
  'See:': ['ps', 'watch', 'explain', 'history', 'since', 'tmux'],
  'Wait and get notified:': ['wait', 'go', 'seen', 'notify'],
  'Drive a terminal and the agent in it:': ['send', 'keys', 'answer', 'read', 'name'],
  'Terminals of lull’s own:': ['open', 'attach', 'close', 'terminals'],
  'Keep going:': ['run', 'loop', 'loop-state', 'respawn', 'accept'],
  'Set up:': ['hooks', 'mcp', 'skill', 'completion', 'host', 'serve', 'fleet', 'doctor'],
  'Record, replay and try:': ['demo', 'record', 'replay', 'classify'],
}

const placeOf = new Map(
  Object.entries(commandGroups)
    .flatMap(([heading, names]) => names.map(name => [name, heading] as const))
    .map(([name, heading], at) => [name, { heading, at }] as const),
)

export function groupCommands(lull: Command): void {
  // That of `lull help`, too.
  lull.commandsGroup('Set up:')
  const all = lull.commands as Command[]
  all.sort((a, b) => (placeOf.get(a.name())?.at ?? Infinity) - (placeOf.get(b.name())?.at ?? Infinity))
  for (const command of all) {
    const heading = placeOf.get(command.name())?.heading
    if (heading !== undefined) command.helpGroup(heading)
  }
}

const times = 'A <time> is 90s, 1h30m or 250ms; a bare number is seconds.'

/** @param path the words behind `lull` that lead to the command */
export function addHelp(command: Command, path: readonly string[] = []): void {
  const takesTime = command.options.some(({ flags }) => flags.includes('<time>'))
  const shown = examples[path.join(' ')] ?? []
  const below = [
    ...(takesTime ? ['', times] : []),
    ...(shown.length > 0 ? ['', 'Examples:', ...shown.map(example => `  $ ${example}`)] : []),
  ]
  if (below.length > 0) command.addHelpText('after', below.join('\n'))
  for (const inner of command.commands) addHelp(inner, [...path, inner.name()])
}
/** What each command's help shows people to type: the path of the command, and its examples. */
export const examples: Readonly<Record<string, readonly string[]>> = {
  '': ['lull', 'lull wait web && npm run deploy', 'lull go'],
  ps: ['lull ps', 'lull ps --needs-me', 'lull ps web --json', 'lull ps --on box1,box2'],
  watch: ['lull watch', 'lull watch pid:4711 --silence 2m', 'lull watch --json | jq .session.state'],
  wait: [
    'lull wait web && npm run deploy',
    'lull wait --any --for waiting --timeout 10m',
    'lull wait web --appear --next',
    'lull wait build --ready',
    'lull wait web@box1',
  ],
  go: ['lull go', 'lull go web'],
  seen: ['lull seen web', 'lull seen --all'],
  'hooks install': ['lull hooks install --dry-run', 'lull hooks install', 'lull hooks install claude'],
  'hooks uninstall': ['lull hooks uninstall claude'],
  'hooks doctor': ['lull hooks doctor', 'lull hooks doctor claude'],
  run: ['lull run -- ./nightly.sh', 'lull run --dwell 30 --on-stuck term -- npm test'],
  serve: ['lull serve', 'lull serve --read-only --port 5000'],
  'serve status': ['lull serve status --json'],
  'serve stop': ['lull serve stop'],
  'serve token list': ['lull serve token list'],
  'serve token revoke': ['lull serve token revoke phone'],
  'fleet join': [
    'lull fleet join nats://hub:4222 --creds box1.nk',
    'lull fleet join tls://hub.example.org:4222 --creds box1.nk --name box1',
    'lull fleet join nats://hub:4222 --view',
  ],
  'fleet leave': ['lull fleet leave'],
  'fleet status': ['lull fleet status', 'lull fleet status --json'],
  'fleet doctor': ['lull fleet doctor'],
  'fleet forget': ['lull fleet forget box7'],
  'fleet keys init': ['lull fleet keys init', 'lull fleet keys init --dir /etc/nats/lull'],
  'fleet keys add': ['lull fleet keys add box1', 'lull fleet keys add phone --as viewer'],
  'fleet keys revoke': ['lull fleet keys revoke phone'],
  'serve token add': ['lull serve token add ci', 'lull serve token add phone --scope act --qr'],
  send: [
    "lull send build 'make test' --wait",
    'lull send web --file prompt.md --wait --timeout 10m',
    "lull send tmux:%3 'ls' --wait",
  ],
  name: ['lull name tmux:%3 build', 'lull name --forget build'],
  keys: ['lull keys build C-c', 'lull keys web Escape Escape'],
  answer: ['lull answer web --list', 'lull answer web yes', "lull answer web --text 'use the other branch'"],
  read: ['lull read build', 'lull read web --screen'],
  open: ['lull open build', 'lull open web --cwd ~/web -- claude'],
  attach: ['lull attach build', 'lull attach build --read-only'],
  close: ['lull close build', 'lull close build --force'],
  'terminals status': ['lull terminals status'],
  'terminals stop': ['lull terminals stop'],
  mcp: ['lull mcp', 'lull mcp --only web api --allow-answer', 'lull mcp install claude'],
  'mcp install': ['lull mcp install claude --dry-run', 'lull mcp install claude'],
  'mcp uninstall': ['lull mcp uninstall claude'],
  'skill install': ['lull skill install claude'],
  'skill uninstall': ['lull skill uninstall claude'],
  'skill show': ['lull skill show'],
  replay: ['lull replay session.cast.gz', 'lull replay session.cast.gz --speed 10 --until 90'],
  explain: ['lull explain web', 'lull explain pid:4711', 'lull explain session.cast.gz --at 12.5s'],
  classify: ['lull classify --agent claude < screen.txt', 'lull classify --check'],
  demo: ['lull demo', 'lull demo --processes --once'],
  doctor: ['lull doctor', 'lull doctor --json'],
  record: ['lull record web', 'lull record web -o web.cast', 'lull record --agent newcli -- newcli'],
  'host start': ['lull host start'],
  'host stop': ['lull host stop'],
  'host restart': ['lull host restart'],
  'host status': ['lull host status'],
  completion: ['lull completion bash', 'lull completion fish > ~/.config/fish/completions/lull.fish'],
  loop: ['lull loop RALPH.md', 'lull loop -n 20 --delay 30 --idle-max 6h'],
  'loop init': ['lull loop init'],
  'loop pause': ['lull loop pause tzip8t4j'],
  'loop resume': ['lull loop resume tzip8t4j'],
  'loop skip': ['lull loop skip tzip8t4j'],
  'loop stop': ['lull loop stop tzip8t4j'],
  respawn: ['lull respawn web --plan night.yaml', "lull respawn web --prompt 'go on' --for 8h --dry-run"],
  'respawn ps': ['lull respawn ps'],
  'respawn status': ['lull respawn status web'],
  'respawn pause': ['lull respawn pause web'],
  'respawn resume': ['lull respawn resume web'],
  'respawn skip': ['lull respawn skip web'],
  'respawn stop': ['lull respawn stop web'],
  'respawn log': ['lull respawn log web --since 12h'],
  'accept test': ['lull accept test night.yaml web.cast'],
  history: ['lull history', 'lull history web --since 22:00', 'lull history --since 8h --json'],
  since: ['lull since', 'lull since 8h'],
  'loop-state': ['lull loop-state --prompt step.md --count 2 --since 2026-11-24T02:00:00Z < final.txt'],
  'notify init': ['lull notify init'],
  'notify check': ['lull notify check'],
  'notify test': ['lull notify test', 'lull notify test phone'],
  'notify log': ['lull notify log --since 8h'],
  tmux: ['lull tmux', 'lull tmux install --dry-run', 'lull tmux install --bind g'],
  'tmux install': ['lull tmux install --dry-run', 'lull tmux install --bind g'],
  'tmux uninstall': ['lull tmux uninstall'],
}
