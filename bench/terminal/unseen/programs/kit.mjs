// @ts-nocheck: it takes its words as they come.
// Questions of the prompt kits of Node: `kit.mjs FOLDER KIT KIND`. With `spins` a timer runs beside the question.
import { createRequire } from 'node:module'
import path from 'node:path'
import { pathToFileURL } from 'node:url'

const [folder, kit, kind, spins] = process.argv.slice(2)
const require = createRequire(path.join(folder, 'x.js'))
const load = name => import(pathToFileURL(require.resolve(name)))
// Before a key is pressed, only its words tell what is hidden.
const message = kind === 'password' || kind === 'masked' ? 'Password' : 'Pick'
const choices = ['one', 'two', 'three']
if (spins) setInterval(() => {}, 100)

const kits = {
  async inquirer() {
    const { input, select, confirm, checkbox, password, search } = await load('@inquirer/prompts')
    const asks = {
      text: () => input({ message }),
      select: () => select({ message, choices }),
      confirm: () => confirm({ message }),
      checkbox: () => checkbox({ message, choices }),
      password: () => password({ message }),
      masked: () => password({ message, mask: '*' }),
      search: () => search({ message, source: () => choices }),
    }
    return asks[kind]()
  },
  async enquirer() {
    const { default: Enquirer } = await load('enquirer')
    const type = { text: 'input', masked: 'password', password: 'invisible' }[kind] ?? kind
    return (await Enquirer.prompt({ type, name: 'answer', message, choices })).answer
  },
  async prompts() {
    const { default: prompts } = await load('prompts')
    const type = { masked: 'password', password: 'invisible' }[kind] ?? kind
    const titled = choices.map(title => ({ title, value: title }))
    return (await prompts({ type, name: 'answer', message, choices: titled })).answer
  },
  async clack() {
    const clack = await load('@clack/prompts')
    const options = choices.map(value => ({ value, label: value }))
    return clack[kind === 'masked' ? 'password' : kind]({ message, options })
  },
  async 'readline-sync'() {
    const { default: lines } = await load('readline-sync')
    const asks = {
      text: () => lines.question(`${message}? `),
      password: () => lines.question(`${message}? `, { hideEchoBack: true, mask: '' }),
      key: () => lines.keyIn(`${message}? `),
    }
    return asks[kind]()
  },
  async 'prompt-sync'() {
    const { default: promptSync } = await load('prompt-sync')
    return promptSync()(`${message}? `, kind === 'masked' ? { echo: '*' } : undefined)
  },
  async read() {
    const { read } = await load('read')
    return read({ prompt: `${message}? `, silent: kind === 'password' })
  },
}
const answer = await kits[kit]()
console.log(`\ngot:${answer}`)
process.exit()
