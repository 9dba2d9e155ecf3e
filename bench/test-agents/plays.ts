/** What is done in each situation of `npm run test:agents`. Each ends where it began: the agent is idle. */
import { setTimeout as pause } from 'node:timers/promises'
import { type PlayName, playNames } from './play-names.ts'
import { type Player, playedBy } from './player.ts'

/** A dialog is left alone for so long, s: a verdict has to come by itself. */
const beforeAnswer = 3

/** What follows a turn, s. */
const afterwards = 3

/** A stalled stream is cut then, s: no client gives up by itself before. */
const untilCut = 45

export const plays: Readonly<Record<PlayName, (a: Player) => Promise<void>>> = {
  async short({ actor }) {
    await actor.turn('[[short]] hello')
    await actor.rest(afterwards)
  },
  async 'long stream'({ actor }) {
    await actor.turn('[[long:8]] please')
    await actor.rest(afterwards)
  },
  async 'silent tool'({ actor }) {
    await actor.turn('[[bash:9]] please')
    await actor.rest(afterwards)
  },
  async 'permission, then a long tool'(a) {
    const { actor } = a
    await a.asksNow(true)
    await actor.begin('[[touch:one.txt && sleep 8]] please')
    await actor.dialog()
    await actor.rest(beforeAnswer)
    await a.answer('permission', 'yes', () => a.hasMade('one.txt'))
    await actor.ends()
    await a.asksNow(false)
    await actor.rest(afterwards)
  },
  async question(a) {
    const { actor } = a
    await actor.begin('[[ask:Which database]] please')
    await actor.question()
    await actor.rest(beforeAnswer)
    await a.answer('question', 'SQLite', since => a.isTold('SQLite', since))
    await actor.ends()
    await actor.rest(afterwards)
  },
  async plan(a) {
    const { actor, facts } = a
    if (!facts.plan) throw new Error('no plan mode')
    await a.cycle(facts.plan.key, facts.plan.on)
    await actor.begin(facts.plan.prompt)
    await actor.opened().terminal.waitFor(facts.plan.shows)
    a.sees('dialog')
    await actor.rest(beforeAnswer)
    await a.answer('plan', facts.plan.choice, since => a.isAsked(since))
    await actor.rest(afterwards)
  },
  async 'subagent that asks'(a) {
    const { actor, facts } = a
    await a.asksNow(true)
    await actor.begin('[[agentasks:two.txt]] please')
    await a.dialogOfSubagent()
    await actor.rest(beforeAnswer)
    if (facts.subagentAsks) {
      await a.answer('permission to delegate', 'yes', () => a.shows(facts.subagentAsks as RegExp))
      a.sees('dialog')
      await actor.rest(beforeAnswer)
    }
    await a.answer('permission of a subagent', 'yes', () => a.hasMade('two.txt'))
    await actor.ends()
    await a.asksNow(false)
    await actor.rest(afterwards)
  },
  async 'background work'({ actor }) {
    await actor.turn('[[background:7]] please')
    await actor.rest(12)
  },
  async 'queued prompt'({ actor }) {
    await actor.begin('[[long:6]] first')
    await actor.rest(2)
    await actor.queue('[[bash:4]] second')
    await actor.ends(40)
    await actor.rest(afterwards)
  },
  async '429'({ actor }) {
    await actor.begin('[[limit:2]] please')
    await actor.ends(60)
    await actor.rest(afterwards)
  },
  async interrupt({ actor }) {
    await actor.begin('[[long:60]] please')
    await actor.rest(4)
    await actor.interrupt()
    await actor.rest(5)
  },
  async 'stalled stream'({ actor }) {
    await actor.begin('[[stall]] please')
    await actor.rest(untilCut)
    await actor.interrupt()
    await actor.rest(4)
  },
  async '/compact'({ actor, facts }) {
    // Whoever compacts with all tools at hand asks for what was asked last.
    await actor.turn('[[short]] before it is compacted')
    await actor.rest(afterwards)
    await actor.compact(facts.compact)
    await actor.rest(6)
  },
  async 'command of its person'({ actor, facts }) {
    // What they print does not stand in the commands.
    const commands = [
      { command: 'sleep 6; echo ran-$((40+2))', prints: /ran-42/ },
      { command: 'sleep 1; echo ran-$((40+3)); false', prints: /ran-43/ },
    ]
    for (const { command, prints } of commands) {
      await actor.command(command, prints)
      await actor.rest(afterwards)
      if (facts.leavesShell) await actor.opened().terminal.press(facts.leavesShell)
      // What is typed right behind Escape is a key with Alt.
      await actor.rest(1)
    }
  },
  async 'menu of its person'(a) {
    const { actor, facts } = a
    const { terminal } = actor.opened()
    await terminal.type(facts.menu.command)
    await pause(1000)
    await actor.opened().press('submit')
    await terminal.waitFor(facts.menu.shows, 5000)
    await actor.rest(5)
    await terminal.press('Escape')
    await actor.rest(2)
  },
  async resume({ actor }) {
    await actor.quit()
    await actor.rest(2)
    await actor.start({ resume: true })
    await actor.rest(3)
    await actor.turn('[[bash:4]] as before')
    await actor.rest(afterwards)
  },
  async 'kill -9'({ actor }) {
    await actor.begin('[[long:61]] please')
    await actor.rest(3)
    await actor.kill()
    await actor.rest(3)
  },
}

/** What this CLI is led through, in order, and what not, with the reason. */
export const programme = (cli: Player['cli'], wanted: readonly string[]) => {
  const chosen = playNames.filter(name => wanted.length === 0 || wanted.includes(name))
  const { without } = playedBy(cli)
  return {
    played: chosen.filter(name => without[name] === undefined),
    left: chosen.flatMap(name => {
      const why = without[name]
      return why === undefined ? [] : [{ cli, name, why }]
    }),
  }
}
