/**
 * Takes secrets out of text that leaves the machine. It knows what common secrets look like; one that looks like any
 * other word it can't know, so a recording is still worth a look before it is published.
 */

/** Shapes of keys and tokens, as their issuers document them. What is captured first stays. */
const secrets: readonly RegExp[] = [
  /** Anthropic, OpenAI, Stripe and others: `sk-…`, `pk_live_…`. */
  /\b[spr]k[-_](?:[A-Za-z0-9]+[-_])*[A-Za-z0-9_-]{16,}/g,
  /** GitHub: tokens by kind, and fine-grained ones. */
  /\bgh[pousr]_[A-Za-z0-9]{30,}|\bgithub_pat_\w{22,}/g,
  /** GitLab, npm, Hugging Face, Slack, Google, DigitalOcean. */
  /\bglpat-[\w-]{20,}|\bnpm_[A-Za-z0-9]{36}|\bhf_[A-Za-z0-9]{30,}|\bxox[abeoprs]-[\w-]{10,}|\bAIza[\w-]{35}|\bya29\.[\w-]{20,}|\bdop_v1_[0-9a-f]{64}/g,
  /** AWS key ids. */
  /\b(?:AKIA|ASIA)[0-9A-Z]{16}\b/g,
  /** JSON web tokens. */
  /\beyJ[\w-]{8,}\.[\w-]{8,}\.[\w-]{8,}/g,
  /-----BEGIN [A-Z ]*PRIVATE KEY-----[\s\S]*?(?:-----END [A-Z ]*PRIVATE KEY-----|$)/g,
  /** A password in an address. */
  /(\b[a-z][a-z0-9+.-]*:\/\/[^\s:/@"'\\]*:)[^\s@/"'\\]+(?=@)/gi,
  ...valuesOf('(?:proxy-)?authorization|x-api-key|(?:set-)?cookie', '(?:(?:bearer|basic|token)\\s+)?'),
  /(\bbearer\s+)[\w.~+/=-]{12,}/gi,
  /** `API_KEY=…`, `"password": "…"`. */
  ...valuesOf(
    '[\\w.-]*(?:api[_-]?key|secret|token|passw(?:or)?d|passphrase|credential|private[_-]?key)[\\w-]*',
  ),
  /(--?(?:api-?key|token|password|secret)[ =])[^\s"'\\]{6,}/gi,
]

/**
 * Values that follow a telling name. After a name in quotes only a value in quotes is one: a number or a list there is
 * JSON, and stays it.
 */
function valuesOf(names: string, scheme = ''): RegExp[] {
  const quote = `\\\\*["']`
  const value = `[^\\s"'\\\\,;}]{6,}`
  const before = `(?:^|[\\s"'\\\\{,;(-])`
  const plain = '(?!true\\b|false\\b|null\\b|\\d+\\b)'
  return [
    new RegExp(`(${before}(?:${names})${quote}\\s*[:=]\\s*${quote}${scheme})${value}`, 'gi'),
    new RegExp(`(${before}(?:${names})\\s*[:=]\\s*(?:${quote})?${scheme})${plain}${value}`, 'gi'),
  ]
}

const redacted = '[redacted]'

/** The text with `[redacted]` in the place of every secret that it knows. Quotes and brackets around stay, so JSON stays JSON. */
export function redact(text: string): string {
  let clean = text
  for (const pattern of secrets)
    clean = clean.replace(pattern, (...match) =>
      typeof match[1] === 'string' ? match[1] + redacted : redacted,
    )
  return clean
}
