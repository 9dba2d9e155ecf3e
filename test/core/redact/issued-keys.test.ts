import { describe, expect, test } from 'vitest'
import { redact } from '../../../src/core/redact/redact.ts'

const redacted = (text: string): string => redact(text)

/** So many characters of what keys are made of; each piece has a digit, letters of both kinds and what else may stand in it. */
const fill = (piece: string, length: number): string =>
  piece.repeat(Math.ceil(length / piece.length)).slice(0, length)
const letters = (length: number): string => fill('a7Bc', length)
const hex = (length: number): string => fill('0f9a', length)
const dashed = (length: number): string => fill('a7-_B', length)
const dotted = (length: number): string => fill('a7.B=', length)
const base64 = (length: number): string => fill('a7+/B', length)

describe('keys that tell who issued them', () => {
  test.each([
    ['Langfuse', `sk-lf-${dashed(36)}`],
    ['a router of models', `sk-or-v1-${hex(64)}`],
    ['an older OpenAI key', `sk-${letters(48)}`],
    ['Jina', `jina_${letters(60)}`],
    ['Groq', `gsk_${letters(52)}`],
    ['Hugging Face', `hf_${letters(34)}`],
    ['NVIDIA', `nvapi-${dashed(64)}`],
    ['Replicate', `r8_${letters(37)}`],
    ['PyPI', `pypi-${dashed(120)}`],
    ['NuGet', `oy2${letters(43)}`],
    ['RubyGems', `rubygems_${hex(48)}`],
    ['crates.io', `cio${letters(32)}`],
    ['Clojars', `CLOJARS_${letters(60)}`],
    ['Docker', `dckr_pat_${dashed(27)}`],
    ['Sourcegraph', `sgp_${letters(40)}`],
    ['Atlassian', `ATATT3${dotted(186)}`],
    ['a role of AWS', `ASIA${fill('A7BC', 16)}`],
    ['Alibaba', `LTAI${letters(20)}`],
    ['Google, of a user', `ya29.${dotted(60)}`],
    ['a client of Google', `GOCSPX-${dotted(28)}`],
    ['DigitalOcean', `dop_v1_${hex(64)}`],
    ['Heroku', `HRKU-${dashed(36)}`],
    ['Fly', `fm2_${base64(60)}`],
    ['Cloudflare', `v1.0-${dashed(160)}`],
    ['Netlify', `nfp_${letters(36)}`],
    ['Supabase', `sbp_${hex(40)}`],
    ['Databricks', `dapi${hex(32)}`],
    ['Pulumi', `pul-${hex(40)}`],
    ['Doppler', `dp.pt.${letters(43)}`],
    ['PlanetScale', `pscale_tkn_${dotted(43)}`],
    ['OpenShift', `sha256~${dashed(43)}`],
    ['age', `AGE-SECRET-KEY-1${fill('Q7PZ', 58)}`],
    ['1Password', `ops_eyJ${base64(250)}`],
    ['a webhook of Stripe', `whsec_${base64(32)}`],
    ['Square', `sq0atp-${dashed(22)}`],
    ['Facebook', `EAAC${letters(120)}`],
    ['Slack, of an app', `xapp-${base64(80)}`],
    ['SendGrid', `SG.${dotted(66)}`],
    ['Twilio', `SK${hex(32)}`],
    ['Mailgun', `key-${hex(32)}`],
    ['Brevo', `xkeysib-${dashed(81)}`],
    ['Shopify', `shpat_${hex(32)}`],
    ['Shippo', `shippo_live_${hex(40)}`],
    ['EasyPost', `EZAK${letters(54)}`],
    ['Linear', `lin_api_${letters(40)}`],
    ['Notion', `ntn_${letters(46)}`],
    ['Figma', `figd_${dashed(40)}`],
    ['Postman', `PMAK-${dashed(59)}`],
    ['Duffel', `duffel_live_${dotted(43)}`],
    ['Flutterwave', `FLWSECK_TEST-${dashed(12)}`],
    ['Frame.io', `fio-u-${dashed(64)}`],
    ['Sentry', `sntrys_${base64(80)}`],
    ['PostHog', `phx_${letters(43)}`],
    ['Grafana', `glsa_${base64(41)}`],
    ['New Relic', `NRAK-${dashed(27)}`],
    ['Dynatrace', `dt0c01.${dotted(89)}`],
    ['ReadMe', `rdme_${letters(70)}`],
    ['Statsig', `sm_aat_${letters(16)}`],
    ['a personal token', `pat-${dotted(40)}`],
  ])('%s', (_, key) => {
    expect(redacted(`use ${key}`)).toBe('use [redacted]')
    expect(redacted(`use ${key} now, "${key}"`)).toBe('use [redacted] now, "[redacted]"')
    const beginning = key.slice(0, 14)
    expect(redacted(`use ${beginning} now`)).toBe(`use ${beginning} now`)
  })

  test.each([
    ['an AWS key id', `AKIA${fill('A7BC', 17)}`],
    ['a token of crates.io', `cio${letters(33)}`],
    ['Databricks', `dapi${hex(33)}`],
    ['Pulumi', `pul-${hex(41)}`],
    ['OpenShift', `sha256~${dashed(44)}`],
    ['Twilio', `SK${hex(33)}`],
    ['Mailgun', `key-${hex(33)}`],
  ])('%s has one length: what goes on is something else', (_, text) => {
    expect(redacted(`in ${text} there`)).toBe(`in ${text} there`)
  })

  test.each([
    'sk-learn-compatible-estimators-and-more',
    'ms-windows-store-application-package-names',
    'API-design-guidelines-for-everybody-here',
    `pat-${'terns-of-'.repeat(6)}design`,
  ])('a beginning that is a word, too, needs a digit behind it: %s', text => {
    expect(redacted(`see ${text}`)).toBe(`see ${text}`)
  })

  test('the longest beginning is taken, and none within a word', () => {
    const short = 'abcd7efgh8ijklmn'
    expect(redacted(`sk-ant-${short}`)).toBe('[redacted]')
    expect(redacted(`sk_live_${'a7Bc'.repeat(3)}`)).toBe('[redacted]')
    expect(redacted(`task-${letters(48)}`)).toBe(`task-${letters(48)}`)
    expect(redacted(`XAKIA${fill('A7BC', 16)}`)).toBe(`XAKIA${fill('A7BC', 16)}`)
    expect(redacted(`SGx${dotted(66)}`)).toBe(`SGx${dotted(66)}`)
  })
})

describe('keys that tell by their shape', () => {
  const segment = dashed(30)
  const encrypted = `eyJ${dashed(20)}.${dashed(40)}.${dashed(16)}.${segment}.${dashed(22)}`
  test.each([
    ['an encrypted web token, of five parts', encrypted, '[redacted]'],
    ['a web token without a signature', `eyJ${letters(20)}.${letters(20)}.`, '[redacted]'],
    ['Discord', `MTk4NjIyNDgzNDcxOTI1MjQ4.Cl2FMQ.${dashed(27)}`, '[redacted]'],
    ['Telegram', `123456789:${dashed(34)}a`, '[redacted]'],
    ['Entra ID', `abc8Q~${dotted(34).replaceAll('=', '_')}`, '[redacted]'],
    ['1Password', 'A3-AB12CD-EF34GH-IJ56K-LM78N-OP90Q', '[redacted]'],
    ['an older one of 1Password', 'A3-AB12CD-EF34GH56IJ7-KL89M-NO12P-QR34S', '[redacted]'],
    ['a hash of bcrypt', `$2b$12$${letters(53)}`, '[redacted]'],
    ['a hash of argon2', `$argon2id$v=19$m=65536,t=3,p=4$${letters(43)}`, '[redacted]'],
    [
      'a webhook of Slack',
      `https://hooks.slack.com/triggers/${letters(24)}`,
      'https://hooks.slack.com/triggers/[redacted]',
    ],
    [
      'a webhook of Discord',
      `https://discord.com/api/webhooks/123456789012345678/${dashed(68)}`,
      'https://discord.com/api/webhooks/123456789012345678/[redacted]',
    ],
    [
      'its older address',
      `https://discordapp.com/api/webhooks/1234567890/${dashed(20)}`,
      'https://discordapp.com/api/webhooks/1234567890/[redacted]',
    ],
    [
      'a webhook of Teams',
      `https://x.webhook.office.com/webhookb2/${fill('a7-b/@', 60)}`,
      'https://x.webhook.office.com/webhookb2/[redacted]',
    ],
  ])('%s', (_, text, wanted) => {
    expect(redacted(`so ${text} it`)).toBe(`so ${wanted} it`)
  })

  test.each([
    ['a version with three parts', 'MacOS-Release-Candidate-24.release.notes-of-this'],
    ['a time and a name', `1234567890123:${dashed(35)}`],
    ['a longer name behind digits', `123456789:${letters(36)}`],
    ['a fence of code', `~5Q~${dotted(8)}`],
    ['a number of a part', 'A3-SIZED-PAPERS-AND-OTHER-THINGS'],
    ['a short list of names', 'A3-AB12CD-EF34GH-IJ56K-LM78N'],
    ['the end of a dollar', '$5$ and $6$ are prices'],
    ['a short path of Discord', 'https://discord.com/api/webhooks/123456789012345678/messages'],
    ['a short path of Teams', 'https://x.webhook.office.com/webhookb2/help'],
    ['a short path of Slack', 'https://hooks.slack.com/services/help'],
  ])('what only looks like one stays: %s', (_, text) => {
    expect(redacted(`so ${text} it`)).toBe(`so ${text} it`)
  })
})
