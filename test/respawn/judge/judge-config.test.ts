import { expect, test } from 'vitest'
import { readJudgeConfig } from '../../../src/respawn/judge/judge-config.ts'

const model = { url: 'https://judge.test/v1/messages', api: 'anthropic', model: 'small' }

test.each<object>([
  { command: ['claude', '-p'] },
  { command: ['/opt/judge'] },
  { command: ['judge', '', './file'] },
  model,
  { ...model, api: 'openai', keyVariable: 'JUDGE_KEY' },
  { ...model, url: 'http://127.0.0.1:11434/v1/chat/completions', keyVariable: 'KEY' },
  { ...model, url: 'http://localhost:1/', keyVariable: 'KEY' },
  { ...model, url: 'http://[::1]:1/', keyVariable: 'KEY' },
  { ...model, url: 'http://gpu.lan/v1/chat/completions' },
])('a judge: %j', written => expect(readJudgeConfig(written)).toEqual(written))

const either = 'judge: must have either a command or a url'
const empty = 'judge.command: must begin with a name on PATH or a full path: it runs in an empty folder'
const words = 'judge.command: must be a list of words, the program first'
const address = 'judge.url: must be an address that begins with https:// or http://, without a password'
const https = 'judge.url: must begin with https:// where a key is sent to another machine'
test.each<[unknown, string]>([
  [undefined, either],
  ['claude -p', either],
  [{}, either],
  [{ ...model, command: ['claude'] }, either],
  [{ command: 'claude -p' }, words],
  [{ command: [] }, words],
  [{ command: [''] }, empty],
  [{ command: ['./judge'] }, empty],
  [{ command: ['~/judge'] }, empty],
  [{ command: ['claude', 1] }, 'judge.command.1: Invalid input: expected string, received number'],
  [{ command: ['claude'], timeout: 1 }, 'judge: Unrecognized key: "timeout"'],
  [{ ...model, url: 'judge.test' }, address],
  [{ ...model, url: 'file:///etc/passwd' }, address],
  [{ ...model, url: 'https://me:secret@judge.test/' }, address],
  [{ ...model, url: 'http://judge.test/', keyVariable: 'KEY' }, https],
  [{ ...model, url: 'http://localhost.judge.test/', keyVariable: 'KEY' }, https],
  [{ ...model, url: 'http://127.0.0.1.judge.test/', keyVariable: 'KEY' }, https],
  [{ ...model, api: 'gemini' }, 'judge.api: must be openai or anthropic'],
  [{ ...model, model: '' }, 'judge.model: must name a model'],
  [
    { ...model, keyVariable: 'sk-ant-api03' },
    'judge.keyVariable: must be the name of an environment variable',
  ],
  [{ ...model, key: 'secret' }, 'judge: Unrecognized key: "key"'],
])('none: %j', (written, message) => {
  expect(() => readJudgeConfig(written)).toThrow(expect.objectContaining({ code: 'USAGE', message }))
})
