/** Names that have secret values, and which values are secret. Kinds as in gitleaks' `generic-api-key` and what was missed of them. */

/** `header` is of HTTP. A `token` is long and without a meaning, a `password` is anything, a `phrase` is words. */
export type NameKind = 'password' | 'token' | 'phrase' | 'header' | 'cookie' | 'encoded'

const kinds: readonly (readonly [NameKind, RegExp])[] = [
  ['header', /^(?:proxy_)?authorization$/],
  ['cookie', /^(?:set_)?cookie$/],
  ['encoded', /^auth$|^sig$|^(?:x_)?amz_(?:signature|security_token)$/],
  ['phrase', /(?:pass|seed|recovery|backup|secret)_?phrase$|^mnemonic$/],
  [
    'password',
    /(?:password|passwd|passwort|passcode|kennwort)(?:_|s?$|\d)|(?:^|_)(?:pass|pwd|psk)\d*(?:_|$)/,
  ],
  ['password', /(?:secret|credential|api_?key)(?:_|s?$|\d)/],
  [
    'token',
    /(?:access|account|admin|app|auth|client|deploy|encryption|license|master|private|root|service|session|shared|signing|write)_?key(?:_|$|\d)/,
  ],
  ['token', /token(?:_|$|\d)|(?:^|_)(?:jwt|bearer|pat)$/],
]

/** A name that ends so is of something about the secret: its number, its place, its kind. */
const about = new Set(
  (
    'at age algorithm budget buffer class cost count counts created count dir directory endpoint enabled env error expired expires expiration expiry ' +
    'field file format header helper hint in index issuer kind label len length limit limits list manager max min ms name names ' +
    'number path per policy position prefix prompt provider rate ref required reset s scheme size source state status ' +
    'store strength suffix ttl type types uri url usage used valid var variable version'
  ).split(' '),
)

/** What a name promises of its value; nothing where it is any name. */
export function kindOf(name: string): NameKind | undefined {
  const words = name
    .replace(/([a-z0-9])([A-Z])/g, '$1_$2')
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .filter(word => word !== '')
  if (about.has(words.at(-1) ?? '')) return undefined
  const joined = words.join('_')
  return kinds.find(([, pattern]) => pattern.test(joined))?.[0]
}

/** The form of a value: in quotes, directly behind a `=`, or behind a colon or spaces like any word of prose or code. */
export type Standing = 'quoted' | 'assigned' | 'loose'

/** Values that stand for one, as programs and people write them. */
const placeholder =
  /^(?:\$[\w({]|%\w+%?$|%[({]|[<{[(]|@[{(]|\*{3}|•|…|\.{3}|x{4,}$|\[?redacted|(?:your|my|some|the|change|enter|insert|replace)[-_ ])/i
const word =
  /^(?:true|false|null|none|nil|undefined|void|yes|no|on|off|string|str|number|int|integer|bool|boolean|bytes?|text|any|unknown|object|optional|required|missing|invalid|expired|incorrect|wrong|empty|hidden|changed|reset|ok|secrets?|tokens?|pass(?:word|wd|phrase)?s?|key|value|default|example|inherit|prompt|input|auto|oauth2?|bearer|basic)$/i
/** `getToken()`, `tokens[1]`, `process.env.TOKEN`. */
const code =
  /^[A-Za-z_$][\w$]*(?:\??\.[A-Za-z_$][\w$]*)*[([]|^[A-Za-z_$]+(?:\??\.[A-Za-z_$][\w$]*)+$|=>|^(?:await|new|async|function|typeof|return)\b/
const place = /^(?:~|\.{1,2})?\/(?:[\w.@-]{1,24}(?:\/|$))+$|^[a-z][a-z0-9+.-]*:\/\//
/** Digits, or small letters and capitals by turns: no word is so. */
const mixed = /\d|[a-z][A-Z]+[a-z]+[A-Z]/
/** What a signature of AWS is (Signature Version 4): it has no capitals. */
const sha256 = /^[\da-f]{64}$/i

export function isSecret(value: string, kind: NameKind, standing: Standing): boolean {
  if (value.length < 3 || placeholder.test(value) || word.test(value) || place.test(value)) return false
  switch (kind) {
    case 'phrase':
      return standing === 'quoted' || mixed.test(value)
    case 'header':
      return value.length >= 6 && (/[\d=]/.test(value) || mixed.test(value))
    case 'encoded':
      if (sha256.test(value)) return true
      return /^[\w+/=%-]{12,}$/.test(value) && /\d|=$|%3d$/i.test(value) && /[A-Z]/.test(value)
    case 'cookie':
      return value.includes('=')
    case 'token':
      if (/^\d+$/.test(value) ? value.length < 8 || standing === 'loose' : /\s/.test(value)) return false
      if (standing === 'loose' && code.test(value)) return false
      return value.length >= 16
        ? /[\d_-]/.test(value) || standing !== 'loose'
        : value.length >= 6 && mixed.test(value)
    case 'password':
      if (/^\d{1,3}$/.test(value)) return false
      if (standing === 'quoted') return !isProse(value)
      if (code.test(value)) return false
      return standing === 'assigned' ? !isNamed(value) : value.length >= 4 && /\d|\w[!@#%^&*+~]/.test(value)
  }
}

/** A label or a sentence about it: `Enter your password`, `is too short`. */
const isProse = (text: string): boolean => {
  const value = text.trimEnd()
  return isNamed(value) || (/^[A-Za-z][A-Za-z,'’ -]*[.:?!…]?$/.test(value) && /\s.*\s|[.:?!…]$/.test(value))
}

/** The name of a secret, as in `password=db_password`. */
const isNamed = (value: string): boolean =>
  /^[A-Za-z_ -]+$/.test(value) && /pass(?:word|wd|phrase)|secret|token|api[_-]?key/i.test(value)
