/**
 * Keys and tokens that tell by their first letters who issued them. Prefixes and lengths are those of gitleaks
 * (https://github.com/gitleaks/gitleaks, config/gitleaks.toml, MIT) and, where it has none, of the issuer's own page.
 */
import { matchAt, type Span } from './span.ts'

/** What may follow a prefix. */
const alphabets = {
  word: '\\w',
  dashed: '[\\w-]',
  dotted: '[\\w.=-]',
  base64: '[\\w+/=.-]',
  hex: '[0-9a-fA-F]',
}

type Issued = {
  readonly prefixes: string
  readonly least: number
  readonly of?: keyof typeof alphabets
  /** It is no key where it goes on. */
  readonly exactly?: true
  /** The prefix is a word by itself: a key has a digit, too. */
  readonly hasDigit?: true
}

const issued: readonly Issued[] = [
  // Models.
  { prefixes: 'sk-ant- sk-proj- sk-svcacct- sk-admin- sk-or-v1- sk-lf- pk-lf-', least: 16, of: 'dashed' },
  { prefixes: 'sk- pk- rk- csk- fc- jina_ e2b_ fw_ tvly- ms-', least: 20, of: 'dashed', hasDigit: true },
  {
    prefixes: 'gsk_ xai- pplx- nvapi- tgp_v1_ hf_ api_org_ lsv2_pt_ lsv2_sk_ wandb_v1_',
    least: 30,
    of: 'dashed',
  },
  { prefixes: 'r8_ rpa_ apify_api_', least: 30 },
  // Forges and package registries.
  { prefixes: 'ghp_ gho_ ghu_ ghs_ ghr_', least: 30 },
  { prefixes: 'github_pat_', least: 22 },
  {
    prefixes: 'glpat- glrt- gldt- glft- glffct- glptt- glcbt- glimt- glagent- gloas- glsoat- GR1348941',
    least: 20,
    of: 'dotted',
  },
  { prefixes: 'npm_ pnu_', least: 36 },
  { prefixes: 'pypi- oy2', least: 43, of: 'dashed' },
  { prefixes: 'rubygems_', least: 48, of: 'hex' },
  { prefixes: 'cio', least: 32, exactly: true },
  { prefixes: 'CLOJARS_', least: 60 },
  { prefixes: 'dckr_pat_ dckr_oat_', least: 20, of: 'dashed' },
  { prefixes: 'sgp_', least: 40 },
  { prefixes: 'ATATT3 ATCTT3 ATBB ATOA', least: 24, of: 'dotted' },
  // Clouds.
  { prefixes: 'AKIA ASIA ABIA ACCA', least: 16, exactly: true },
  { prefixes: 'LTAI', least: 16 },
  { prefixes: 'AIza', least: 35, of: 'dashed' },
  { prefixes: 'ya29. GOCSPX- 1//0', least: 20, of: 'dotted' },
  { prefixes: 'dop_v1_ doo_v1_ dor_v1_', least: 64, of: 'hex' },
  { prefixes: 'HRKU-', least: 30, of: 'dashed' },
  { prefixes: 'fo1_ fm1r_ fm1a_ fm2_', least: 40, of: 'base64' },
  { prefixes: 'v1.0-', least: 150, of: 'dashed' },
  { prefixes: 'nfp_ vcp_ vca_ tk-us- sbp_ sb_secret_', least: 20, of: 'dashed' },
  { prefixes: 'dapi', least: 32, of: 'hex', exactly: true },
  { prefixes: 'pul-', least: 40, of: 'hex', exactly: true },
  { prefixes: 'hvs. hvb. hvr.', least: 24, of: 'dashed' },
  { prefixes: 'dp.pt. dp.st. dp.ct. dp.sa. dp.scim. dp.audit.', least: 30, of: 'dotted' },
  { prefixes: 'pscale_tkn_ pscale_pw_ pscale_oauth_', least: 32, of: 'dotted' },
  { prefixes: 'sha256~', least: 43, of: 'dashed', exactly: true },
  { prefixes: 'AGE-SECRET-KEY-1', least: 50 },
  { prefixes: 'ops_eyJ', least: 40, of: 'base64' },
  // Payment, messages, shops, work.
  {
    prefixes: 'sk_live_ sk_test_ sk_prod_ rk_live_ rk_test_ rk_prod_ pk_live_ whsec_',
    least: 10,
    of: 'base64',
  },
  { prefixes: 'sq0atp- sq0csp- EAAA', least: 22, of: 'dashed' },
  { prefixes: 'EAAC EAAM', least: 100 },
  { prefixes: 'xoxb- xoxa- xoxp- xoxr- xoxs- xoxe- xoxo- xoxc- xoxd- xoxe. xapp-', least: 10, of: 'base64' },
  { prefixes: 'SG.', least: 40, of: 'dotted' },
  { prefixes: 'SK key-', least: 32, of: 'hex', exactly: true },
  { prefixes: 'xkeysib- xsmtpsib-', least: 64, of: 'dashed' },
  { prefixes: 'shpat_ shpca_ shppa_ shpss_ shptka_', least: 32, of: 'hex' },
  { prefixes: 'shippo_live_ shippo_test_', least: 40, of: 'hex' },
  { prefixes: 'EZAK EZTK', least: 54 },
  { prefixes: 'lin_api_ lin_oauth_ ntn_ secret_', least: 32 },
  { prefixes: 'figd_ figu_ figo_', least: 30, of: 'dashed' },
  { prefixes: 'PMAK-', least: 50, of: 'dashed' },
  { prefixes: 'duffel_test_ duffel_live_', least: 43, of: 'dotted' },
  { prefixes: 'FLWSECK_TEST- FLWSECK-', least: 12, of: 'dashed' },
  { prefixes: 'fio-u- API- CFPAT- p8e- ico-', least: 26, of: 'dashed', hasDigit: true },
  { prefixes: 'sntrys_ sntryu_ phx_ phs_', least: 40, of: 'base64' },
  { prefixes: 'glc_ glsa_', least: 32, of: 'base64' },
  { prefixes: 'NRAK- NRJS- NRII- NRIQ-', least: 19, of: 'dashed' },
  { prefixes: 'dt0c01. dt0s01.', least: 60, of: 'dotted' },
  { prefixes: 'rdme_', least: 70 },
  { prefixes: 'sm_aat_ sm_pat_ sm_sat_', least: 16 },
  { prefixes: 'pat- pat. sat.', least: 40, of: 'dotted', hasDigit: true },
]

type Rule = Issued & { readonly rest: RegExp }

const rules: ReadonlyMap<string, Rule> = new Map(
  issued.flatMap(row => {
    const rule = { ...row, rest: new RegExp(`${alphabets[row.of ?? 'word']}*`, 'y') }
    return row.prefixes.split(' ').map(prefix => [prefix, rule] as const)
  }),
)

const prefixes = new RegExp(
  `(?<![A-Za-z0-9])(?:${[...rules.keys()]
    .sort((a, b) => b.length - a.length)
    .map(prefix => prefix.replaceAll('.', '\\.'))
    .join('|')})`,
  'g',
)

/**
 * Keys that are recognised by their shape, not by a prefix. `x{8}x*` and not `x{8,}`, which keeps each of millions of characters on
 * the stack.
 */
const shapes: readonly RegExp[] = [
  // JSON web tokens (RFC 7519).
  /(?<![\w-])eyJ[\w-]{8}[\w-]*\.[\w-]{8}[\w-]*(?:\.[\w-]*){1,3}/g,
  // Discord, Telegram, Entra ID, 1Password.
  /(?<![\w-])[MNO][\w-]{23,27}\.[\w-]{6,7}\.[\w-]{27,40}/g,
  /(?<!\d)\d{8,10}:[\w-]{35}(?![\w-])/g,
  /[\w~.-]{3}\dQ~[\w~.-]{31,34}/g,
  /\bA3-[A-Z0-9]{6}-(?:[A-Z0-9]{5,11}-){3,4}[A-Z0-9]{5}\b/g,
  // A hash of a password (crypt(5)).
  /\$(?:1|2[abxy]|5|6|7|y|gy|argon2(?:id|i|d))\$[\w./$=,+-]{20}[\w./$=,+-]*/g,
  // The part of a webhook's address that lets in.
  /(?<=\bhooks\.slack\.com\/(?:services|workflows|triggers)\/)[\w/+-]{20}[\w/+-]*/g,
  /(?<=\bdiscord(?:app)?\.com\/api\/webhooks\/\d{10,20}\/)[\w-]{20}[\w-]*/g,
  /(?<=\.webhook\.office\.com\/webhookb2\/)[\w@/-]{20}[\w@/-]*/g,
]

/** Where a key begins that reaches the end of a text and is still too short to differ from a word. */
export function begunKey(text: string): number | undefined {
  for (const { index, 0: prefix } of text.matchAll(prefixes)) {
    const rule = rules.get(prefix) as Rule
    const { length } = matchAt(rule.rest, text, index + prefix.length) ?? ''
    if (index + prefix.length + length === text.length && length < rule.least) return index
  }
  return undefined
}

/** The keys in a text, by their issuers' forms. */
export function* issuedKeys(text: string): Generator<Span> {
  prefixes.lastIndex = 0
  for (let found = prefixes.exec(text); found; found = prefixes.exec(text)) {
    const rule = rules.get(found[0]) as Rule
    const rest = matchAt(rule.rest, text, prefixes.lastIndex) ?? ''
    if (rest.length < rule.least) continue
    prefixes.lastIndex += rest.length
    if (rule.exactly && rest.length > rule.least) continue
    if (rule.hasDigit && !/\d/.test(rest)) continue
    yield { start: found.index, end: prefixes.lastIndex }
  }
  for (const shape of shapes)
    for (const { index, 0: found } of text.matchAll(shape)) yield { start: index, end: index + found.length }
}
