/**
 * The situations of the day. They were chosen from what people do with agents all day, by somebody who had not read how lull
 * reads one: what is wrong in them is a finding, and no reason to change them.
 */
import type { Actor } from './actor.ts'

export type Situation = {
  readonly name: string
  /** Of a lane with two agents both come; of another only the first. */
  play(a: Actor, b: Actor): Promise<void>
}

export const short: Situation = {
  name: 'a short turn, then nothing',
  async play(a) {
    await a.turn('[[short]] hello')
    await a.rest(10)
  },
}

const think: Situation = {
  name: 'the model says nothing for 15 s',
  async play(a) {
    await a.turn('[[think:15]] please')
    await a.rest(4)
  },
}

const stream: Situation = {
  name: 'an answer that takes 15 s to be written',
  async play(a) {
    await a.turn('[[long:15]] please')
    await a.rest(4)
  },
}

const silentTool: Situation = {
  name: 'a command that prints nothing for 15 s',
  async play(a) {
    await a.turn('[[bash:15]] please')
    await a.rest(4)
  },
}

const manyTools: Situation = {
  name: 'eight commands in a row',
  async play(a) {
    await a.turn('[[tools:8]] please')
    await a.rest(4)
  },
}

export const permission: Situation = {
  name: 'a permission, granted after 6 s, whose command takes 10 s',
  async play(a) {
    await a.begin('[[touch:one.txt && sleep 10]] please')
    await a.dialog()
    await a.rest(6)
    await a.grant()
    await a.ends()
    await a.rest(4)
  },
}

const quickGrant: Situation = {
  name: 'two permissions in a row, granted at once',
  async play(a) {
    for (const file of ['two.txt', 'three.txt']) {
      await a.begin(`[[touch:${file}]] please`)
      await a.dialog()
      await a.grant()
      await a.ends()
    }
    await a.rest(4)
  },
}

export const refusal: Situation = {
  name: 'a permission, refused',
  async play(a) {
    await a.begin('[[touch:four.txt]] please')
    await a.dialog()
    await a.rest(5)
    await a.refuse()
    await a.rest(8)
  },
}

export const question: Situation = {
  name: 'a question, answered after 6 s',
  async play(a) {
    await a.begin('[[ask:Which database]] please')
    await a.question()
    await a.rest(6)
    await a.answer()
    await a.ends()
    await a.rest(4)
  },
}

const interruptStream: Situation = {
  name: 'interrupted while it writes',
  async play(a) {
    await a.begin('[[long:60]] please')
    await a.rest(5)
    await a.interrupt()
    await a.rest(8)
  },
}

export const interruptTool: Situation = {
  name: 'interrupted while a command runs',
  async play(a) {
    await a.begin('[[bash:61]] please')
    await a.rest(6)
    await a.interrupt()
    await a.rest(8)
  },
}

const interruptThink: Situation = {
  name: 'interrupted before the first word, and another prompt at once',
  async play(a) {
    await a.begin('[[think:62]] please')
    await a.rest(3)
    await a.interrupt()
    await a.rest(1)
    await a.turn('[[long:8]] rather this')
    await a.rest(4)
  },
}

export const limitTwice: Situation = {
  name: 'the provider’s limit twice, then an answer',
  async play(a) {
    await a.begin('[[limit:2]] please')
    await a.ends(60)
    await a.rest(4)
  },
}

const limitForever: Situation = {
  name: 'the provider’s limit again and again, until it is interrupted',
  async play(a) {
    await a.begin('[[limit:99]] please')
    await a.rest(12)
    await a.interrupt()
    await a.rest(6)
  },
}

const badRequest: Situation = {
  name: 'the provider refuses the request for good',
  async play(a) {
    await a.begin('[[error:400]] please')
    await a.rest(12)
  },
}

const queued: Situation = {
  name: 'a second prompt while the first is being answered',
  async play(a) {
    await a.begin('[[long:10]] first')
    await a.rest(3)
    await a.queue('[[bash:7]] second')
    await a.ends(40)
    await a.rest(14)
  },
}

const draft: Situation = {
  name: 'a prompt that is typed and not sent',
  async play(a) {
    await a.draft('I have not decided yet what to ask')
    await a.rest(8)
    await a.clearDraft()
    await a.rest(2)
  },
}

export const stall: Situation = {
  name: 'the answer breaks off and never ends; interrupted after 20 s',
  async play(a) {
    await a.begin('[[stall]] please')
    await a.rest(20)
    await a.interrupt()
    await a.rest(6)
  },
}

const mimic: Situation = {
  name: 'the answer quotes dialogs, prompts and log lines',
  async play(a) {
    await a.turn('[[mimic:12]] please')
    await a.rest(8)
  },
}

export const background: Situation = {
  name: 'a command in the background that outlives the turn',
  async play(a) {
    await a.turn('[[background:12]] please')
    await a.rest(18)
  },
}

const subagent: Situation = {
  name: 'a subagent at work',
  async play(a) {
    await a.begin('[[agent:9]] please')
    await a.ends(60)
    await a.rest(5)
  },
}

export const killed: Situation = {
  name: 'killed in a turn, and started again in the same folder',
  async play(a) {
    await a.begin('[[long:63]] please')
    await a.rest(5)
    await a.kill()
    await a.rest(2)
    await a.start()
    await a.rest(6)
    await a.turn('[[long:5]] again')
    await a.rest(4)
  },
}

const killedAsking: Situation = {
  name: 'killed while it asks for a permission, and resumed',
  async play(a) {
    await a.begin('[[touch:five.txt]] please')
    await a.dialog()
    await a.rest(4)
    await a.kill()
    await a.rest(2)
    await a.start({ resume: true })
    await a.rest(8)
  },
}

const resumed: Situation = {
  name: 'quit and resumed',
  async play(a) {
    await a.turn('[[short]] before it is quit')
    await a.rest(2)
    await a.quit()
    await a.rest(2)
    await a.start({ resume: true })
    await a.rest(6)
    await a.turn('[[bash:6]] as before')
    await a.rest(4)
  },
}

const stopped: Situation = {
  name: 'stopped by a signal in a turn, and continued',
  async play(a) {
    await a.begin('[[long:20]] please')
    await a.rest(5)
    a.stop()
    await a.rest(8)
    a.continue()
    await a.ends(60)
    await a.rest(4)
  },
}

const compaction: Situation = {
  name: 'compacted by hand',
  async play(a) {
    await a.compact()
    await a.rest(12)
  },
}

const resized: Situation = {
  name: 'the terminal changes its size, in a turn and out of one',
  async play(a) {
    await a.begin('[[long:8]] please')
    await a.rest(2)
    await a.resize(90, 30)
    await a.ends()
    await a.rest(3)
    await a.resize(120, 40)
    await a.rest(4)
  },
}

export const oneWorks: Situation = {
  name: 'one works for 20 s, the other of the folder is idle',
  async play(a, b) {
    await a.turn('[[bash:20]] please')
    await a.rest(3)
    await b.turn('[[long:12]] please')
    await b.rest(3)
  },
}

export const bothWork: Situation = {
  name: 'both of a folder work; one ends long before the other',
  async play(a, b) {
    await Promise.all([a.turn('[[long:6]] please'), b.turn('[[long:18]] please')])
    await a.rest(3)
  },
}

export const bothAsk: Situation = {
  name: 'both of a folder ask; one is answered 8 s before the other',
  async play(a, b) {
    await Promise.all([a.begin('[[touch:six.txt]] please'), b.begin('[[touch:seven.txt]] please')])
    await Promise.all([a.dialog(), b.dialog()])
    await a.rest(4)
    await a.grant()
    await a.ends()
    await a.rest(8)
    await b.grant()
    await b.ends()
    await b.rest(4)
  },
}

const oneAsks: Situation = {
  name: 'one asks while the other of the folder works, and is killed',
  async play(a, b) {
    await Promise.all([a.begin('[[touch:eight.txt]] please'), b.begin('[[long:25]] please')])
    await a.dialog()
    await a.rest(6)
    await a.kill()
    await a.rest(2)
    await a.start()
    await b.ends()
    await b.rest(5)
  },
}

export const oneInterrupted: Situation = {
  name: 'both of a folder work, one is interrupted',
  async play(a, b) {
    await Promise.all([a.begin('[[bash:64]] please'), b.begin('[[bash:18]] please')])
    await a.rest(5)
    await a.interrupt()
    await b.ends(40)
    await b.rest(4)
  },
}

/** The same with the other of the folder. */
export const swapped = ({ name, play }: Situation): Situation => ({ name, play: (a, b) => play(b, a) })

/** What each lane goes through, in this order. Lanes run side by side. */
export const day = {
  claudes: [
    short,
    oneWorks,
    bothWork,
    swapped(permission),
    bothAsk,
    subagent,
    background,
    swapped(question),
    oneInterrupted,
    queued,
    limitTwice,
    oneAsks,
    swapped(refusal),
    compaction,
    swapped(mimic),
  ],
  claude: [
    short,
    permission,
    stream,
    question,
    interruptStream,
    interruptTool,
    subagent,
    background,
    limitForever,
    mimic,
    killed,
    killedAsking,
    stopped,
    queued,
    draft,
    badRequest,
    resumed,
  ],
  codex: [
    short,
    permission,
    quickGrant,
    think,
    silentTool,
    refusal,
    question,
    interruptStream,
    interruptThink,
    limitTwice,
    mimic,
    killed,
    queued,
    stall,
    compaction,
    resumed,
  ],
  codexWithout: [
    stream,
    manyTools,
    silentTool,
    interruptTool,
    interruptThink,
    permission,
    draft,
    badRequest,
    stopped,
    resized,
    limitForever,
    killed,
    killedAsking,
    mimic,
  ],
  opencodes: [
    short,
    oneWorks,
    bothWork,
    permission,
    swapped(question),
    bothAsk,
    oneInterrupted,
    subagent,
    oneAsks,
    limitTwice,
    swapped(refusal),
    manyTools,
    swapped(mimic),
    swapped(interruptThink),
  ],
  gemini: [
    short,
    permission,
    think,
    silentTool,
    question,
    interruptStream,
    refusal,
    manyTools,
    limitTwice,
    killed,
    mimic,
    interruptThink,
    stopped,
    resumed,
    quickGrant,
  ],
  geminiWithout: [
    short,
    stream,
    silentTool,
    permission,
    interruptTool,
    draft,
    badRequest,
    killed,
    killedAsking,
    mimic,
    stall,
    resized,
  ],
  pi: [
    short,
    stream,
    think,
    silentTool,
    manyTools,
    interruptStream,
    interruptTool,
    interruptThink,
    limitTwice,
    limitForever,
    queued,
    draft,
    mimic,
    killed,
    stall,
    stopped,
    badRequest,
    resumed,
  ],
} as const satisfies Readonly<Record<string, readonly Situation[]>>

export type LaneName = keyof typeof day
