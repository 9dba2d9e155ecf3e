/** What the unseen programs are, and where they come from. `npm run setup-bench -- --unseen` installs them. */
import { existsSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'

/** Programs, and the Debian package that has each. */
export const unseenPackages = {
  asciinema: 'asciinema',
  augtool: 'augeas-tools',
  bc: 'bc',
  bwrap: 'bubblewrap',
  calc: 'calc',
  cargo: 'cargo',
  clisp: 'clisp',
  coqtop: 'coq',
  csi: 'chicken-bin',
  cvc5: 'cvc5',
  dc: 'dc',
  debugfs: 'e2fsprogs',
  dtach: 'dtach',
  duk: 'duktape',
  dvtm: 'dvtm',
  ecl: 'ecl',
  ed: 'ed',
  elvish: 'elvish',
  erl: 'erlang-base',
  expect: 'expect',
  fdisk: 'fdisk',
  fricas: 'fricas',
  gap: 'gap-core',
  gcc: 'gcc',
  gdisk: 'gdisk',
  gforth: 'gforth',
  ghci: 'ghc',
  gnuplot: 'gnuplot-nox',
  go: 'golang-go',
  gp: 'pari-gp',
  gpg: 'gpg',
  gprolog: 'gprolog',
  guile: 'guile-3.0',
  iex: 'elixir',
  ipython3: 'ipython3',
  irb: 'ruby',
  java: 'default-jdk-headless',
  jdb: 'default-jdk-headless',
  jimsh: 'jimsh',
  jshell: 'default-jdk-headless',
  ledger: 'ledger',
  lftp: 'lftp',
  litecli: 'litecli',
  lldb: 'lldb',
  'lua5.4': 'lua5.4',
  luajit: 'luajit',
  maxima: 'maxima',
  'mit-scheme': 'mit-scheme',
  mujs: 'mujs',
  newlisp: 'newlisp',
  nft: 'nftables',
  nickle: 'nickle',
  nslookup: 'bind9-dnsutils',
  ocaml: 'ocaml',
  'octave-cli': 'octave',
  parted: 'parted',
  perl: 'perl',
  php: 'php-cli',
  pil: 'picolisp',
  poly: 'polyml',
  posh: 'posh',
  pry: 'pry',
  ptpython: 'ptpython',
  qalc: 'qalc',
  R: 'r-base-core',
  racket: 'racket',
  rakudo: 'rakudo',
  rc: 'rc',
  'redis-cli': 'redis-tools',
  rhino: 'rhino',
  rlwrap: 'rlwrap',
  ruby: 'ruby',
  sash: 'sash',
  sbcl: 'sbcl',
  screen: 'screen',
  sml: 'smlnj',
  socat: 'socat',
  strace: 'strace',
  swipl: 'swi-prolog-core',
  'systemd-ask-password': 'systemd',
  tasksh: 'tasksh',
  tclsh: 'tcl',
  tcsh: 'tcsh',
  tnftp: 'tnftp',
  ttyrec: 'ttyrec',
  unbuffer: 'expect',
  units: 'units',
  virsh: 'libvirt-clients',
  xfs_io: 'xfsprogs',
  xonsh: 'xonsh',
  yacas: 'yacas',
  yash: 'yash',
} as const

/** Libraries and what lies in nobody's PATH: a package, and a file of it. */
export const unseenLibraries = {
  plan9: ['9base', '/usr/lib/plan9/bin/rc'],
  libreadline: ['libreadline-dev', '/usr/include/readline/readline.h'],
  libedit: ['libedit-dev', '/usr/include/editline/readline.h'],
  'python3-prompt-toolkit': ['python3-prompt-toolkit', '/usr/lib/python3/dist-packages/prompt_toolkit'],
  'python3-rich': ['python3-rich', '/usr/lib/python3/dist-packages/rich'],
  'python3-click': ['python3-click', '/usr/lib/python3/dist-packages/click'],
  'ruby-tty-prompt': ['ruby-tty-prompt', '/usr/share/doc/ruby-tty-prompt'],
  'ruby-highline': ['ruby-highline', '/usr/share/doc/ruby-highline'],
  'perl-readline': ['libterm-readline-gnu-perl', '/usr/share/doc/libterm-readline-gnu-perl'],
  'go-readline': ['golang-github-chzyer-readline-dev', '/usr/share/gocode/src/github.com/chzyer/readline'],
  'go-survey': [
    'golang-github-alecaivazis-survey-dev',
    '/usr/share/gocode/src/github.com/AlecAivazis/survey',
  ],
  'go-promptui': [
    'golang-github-manifoldco-promptui-dev',
    '/usr/share/gocode/src/github.com/manifoldco/promptui',
  ],
  rustyline: ['librust-rustyline-dev', '/usr/share/doc/librust-rustyline-dev'],
  dialoguer: ['librust-dialoguer-dev', '/usr/share/doc/librust-dialoguer-dev'],
} as const

/** Of npm, in a folder of their own: nothing of lull needs them. */
export const unseenKits = {
  nushell: '0.115.1',
  bun: '1.4.5',
  mongosh: '2.12.0',
  nbb: '1.6.214',
  coffeescript: '2.7.0',
  livescript: '1.6.0',
  '@inquirer/prompts': '8.8.0',
  enquirer: '2.4.1',
  prompts: '2.4.2',
  '@clack/prompts': '1.9.0',
  'readline-sync': '1.4.10',
  'prompt-sync': '4.2.0',
  read: '6.0.0',
} as const

export const unseenFolder = (): string => path.join(os.homedir(), '.cache/lull-bench')
const modules = (file: string): string => path.join(unseenFolder(), 'kits/node_modules', file)
const platform = `${process.platform}-${process.arch}`

/** What is installed into that folder: the file that shows it, by its name in braces. */
export const unseenFiles = {
  nu: modules(`@nushell/${platform}/bin/nu`),
  bun: modules(`@oven/bun-${platform}/bin/bun`),
  mongosh: modules('.bin/mongosh'),
  nbb: modules('.bin/nbb'),
  coffee: modules('coffeescript/bin/coffee'),
  lsc: modules('.bin/lsc'),
  kits: modules('@inquirer/prompts'),
  rust: path.join(unseenFolder(), 'rust/target/debug/lines'),
} as const

export type UnseenTool = keyof typeof unseenPackages | keyof typeof unseenLibraries | keyof typeof unseenFiles

const isUnseenFile = (name: string): name is keyof typeof unseenFiles => Object.hasOwn(unseenFiles, name)

/** Of libraries and files alone; programs are looked for in the PATH. */
export const isMissing = (name: keyof typeof unseenLibraries | keyof typeof unseenFiles): boolean =>
  !existsSync(isUnseenFile(name) ? unseenFiles[name] : unseenLibraries[name][1])
