/**
 * What screens of agents have in common: questions of the kinds that people answer, work that can be broken off, what
 * begins again by itself. Sources: docs/research/agents.md, the recordings in corpus/.
 */
import type { WaitingFor } from '../../core/state.ts'
import { runningTool } from './live-rows.ts'
import type { ScreenRule } from './screen-rule.ts'
import { atComposer, rule, waiting, working } from './screen-rule.ts'
import {
  countsAbove,
  countsBelow,
  perhapsCountsAbove,
  perhapsCountsBelow,
  waitsForOthers,
} from './work-counts.ts'

const dialog = (id: string, reason: WaitingFor, pattern: RegExp, unless?: RegExp): ScreenRule =>
  rule(id, 'dialog', pattern, waiting(reason), unless ? { unless } : {})

/** A spinner's frame, at the beginning of a row: braille dots, arcs, quarters. */
const spinner = /^ {0,2}[\u2801-\u28ff◐◓◑◒◴◷◶◵◜◝◞◟◠◡⣾⣽⣻⢿⡿⣟⣯⣷]\s+\S/u

const menuTitle =
  /^[\s>❯›]*(?:(?:select|choose|switch|change|pick)(?: an?| the| your)? (?:model|theme|provider|output style|agent|language|editor|mode|effort|session|conversation)s?\b|resume (?:an? |previous )?(?:session|conversation|chat|thread)|(?:settings|configuration|preferences|keyboard shortcuts|help|commands|sessions?|history|models?|themes?)\s*(?:[:·(].*)?$)/i

/** Dialogs come first: what is drawn above one is of the turn that it stops. */
export const dialogRules: readonly ScreenRule[] = [
  dialog(
    'trust',
    'trust',
    /\btrust (?:the (?:files|contents|authors)|this (?:folder|directory|workspace|project|repo)|.{0,40}(?:folder|directory|workspace))|\bis this a project you (?:created|trust)|\bdo you trust\b|\bto work in this (?:folder|directory)\b/i,
  ),
  dialog(
    'login',
    'login',
    /\bselect (?:a )?login|\b(?:sign|log) in (?:with|to|using)|\blogin method|\bhow would you like to (?:authenticate|log ?in|sign ?in)|\b(?:paste|enter|use|provide) (?:your |an? )?(?:own )?(?:api|access) (?:key|token)|\bauthentication (?:method|required)|\bsign in\b.*\b(?:account|google|github|chatgpt)\b/i,
  ),
  { id: 'menu', part: 'dialog', pattern: menuTitle, state: atComposer(), isMenu: true, confidence: 0.8 },
  {
    id: 'menu-hint',
    part: 'dialog',
    pattern:
      /\besc(?:ape)? to close\b|\besc close\b|\btype to (?:search|filter)\b|^\s*⌕|^\s*\(\d+\/\d+\)\s*$/iu,
    state: atComposer(),
    isMenu: true,
    confidence: 0.8,
  },
  dialog(
    'plan',
    'plan',
    /\b(?:ready to (?:code|implement|execute|start (?:coding|implementation))|(?:approve|accept|execute|implement|proceed with)s? (?:the |this )?plan|keep planning|continue planning|switch to (?:the )?build|here is .{0,20}plan|would you like to proceed\?)/i,
  ),
  dialog(
    'permission',
    'permission',
    /\b(?:do you want to (?:proceed|allow|make|create|write|run|edit|overwrite|delete|use|fetch|continue|apply|execute)|would you like to (?:run|make|apply|allow|grant)|allow (?:this|the|execution|access|command|tool|once|always|.{0,60}\?)|allow\?|(?:needs|requires|required) (?:your )?(?:permission|approval|confirmation)|permission required|(?:yes|allow),? (?:and )?(?:don't ask|once|always|for this session)|apply (?:this |these )?changes?\?|(?:run|execute) this (?:shell )?command|approve (?:once|this|always|and)|no, and tell|wants? to (?:use|run|execute|edit|write|create|delete|read|access|fetch|make)\b|reject\b.{0,40}\btell\b)/i,
    /\bquestion \d+\s*\/\s*\d+/i,
  ),
  dialog(
    'question',
    'question',
    /\bquestion \d+\s*(?:\/|of)\s*\d+|\b(?:enter|return) to (?:select|submit(?: answer)?)|\btype (?:something|a response|your (?:own )?(?:answer|feedback))|\benter a custom|\bask(?:s|ing)? (?:you )?a question|^\s*answer questions?\s*$|^\s*←\s.*[☐☒☑✔✓].*→\s*$/iu,
  ),
  // Options side by side accept or refuse.
  dialog(
    'accept-or-refuse',
    'permission',
    /^\s*(?:\[?\w\]?\s*)?(?:allow|approve|accept|save|run)\b.*\s{2,}.*\b(?:deny|reject|refuse|decline)\b/i,
  ),
  { ...dialog('dialog', 'dialog', /\S/), confidence: 0.7 },
]

/** Where neither a composer nor a list of options is. */
export const bottomRules: readonly ScreenRule[] = [
  {
    id: 'form',
    part: 'bottom',
    pattern:
      /^[\s│┃|]{0,12}enter to (?:submit|confirm|continue|save)\b.{0,60}\besc(?:ape)? to (?:cancel|go back|exit|dismiss)\b/iu,
    state: waiting('question'),
    confidence: 0.8,
  },
  {
    id: 'login-wait',
    part: 'bottom',
    pattern:
      /\bwaiting for (?:auth|login|sign-?in|browser|authori[sz]ation|authentication)|\bpaste (?:the |your )?(?:authori[sz]ation )?code\b|\bone-time code\b|\bvisit (?:this|the following) url to (?:auth|sign|log)/i,
    state: waiting('login'),
  },
  {
    id: 'transcript',
    part: 'bottom',
    pattern: /\bshowing (?:detailed|full) transcript\b|^\s*\/? ?T R A N S C R I P T\b/i,
    state: atComposer(),
    isMenu: true,
    confidence: 0.6,
  },
  {
    id: 'letters',
    part: 'last',
    pattern: /\?.{0,20}(?:\(y\)es\s*\/\s*\(n\)o|[[(]y(?:es)?\s*[/|]\s*n(?:o)?\b[^\])]{0,30}[\])])/i,
    state: waiting('permission'),
  },
]

/** Work beside a turn, or after it. */
export const besideRules: readonly ScreenRule[] = [
  rule('waits-for-others', 'activity', waitsForOthers, working('background')),
  rule('counts-above', 'activity', countsAbove, working('background')),
  rule('counts-below', 'footer', countsBelow, working('background')),
]

/** What may count work and may be words of a model or of a person: it is no work, and takes the composer its idleness. */
export const perhapsRules: readonly ScreenRule[] = [
  rule('perhaps-counts-above', 'activity', perhapsCountsAbove, working('background')),
  rule('perhaps-counts-below', 'footer', perhapsCountsBelow, working('background')),
]

export const workRules: readonly ScreenRule[] = [
  {
    id: 'retrying',
    part: 'activity',
    pattern:
      /\bretrying (?:in \d|attempt)|\bwill retry in \d|^\s*\S{0,2}\s*Reconnecting(?:\.{3}|…)|\[retrying\b|\battempt #?\d+ ?(?:\/|of) ?\d+\b/i,
    unless: /^\s*[>❯›]/u,
    state: working('retrying'),
  },
  {
    id: 'compacting',
    part: 'activity',
    pattern:
      /^ {0,3}\S{1,2} (?:auto-?)?(?:compacting|compressing|summarizing) (?:the )?(?:conversation|context|chat|history|session)?/i,
    state: working('compacting'),
  },
  {
    id: 'interruptible',
    part: 'footer',
    pattern:
      /(?:^\s*|[·•(|]\s*)(?:esc(?:ape)?|ctrl[+-]c)(?: esc| twice| again)? (?:to )?(?:interrupt|stop)\b| {2}esc(?: esc| twice| again)? (?:to )?interrupt$/iu,
    state: working(),
  },
  {
    id: 'interruptible-above',
    part: 'activity',
    pattern:
      /^ {0,2}[^\s\w"'`|│*↑↓-]\S{0,2} .{0,200}[([·•][^()[\]]{0,60}\b(?:esc(?:ape)?|ctrl[+-]c)(?: twice| again)? to (?:interrupt|cancel|stop)\b/iu,
    state: working(),
  },
  { id: 'spinner', part: 'activity', pattern: spinner, state: working(), confidence: 0.9 },
  rule('running-tool', 'activity', runningTool, working('tool'), { confidence: 0.8 }),
  ...besideRules,
]

/** What the end of a turn leaves above the composer. */
export const idleRules: readonly ScreenRule[] = [
  { id: 'composer', part: 'composer', pattern: /^/, state: atComposer(), confidence: 0.9 },
]

const sharedRules: readonly ScreenRule[] = [
  ...dialogRules,
  ...bottomRules,
  ...workRules,
  ...perhapsRules,
  ...idleRules,
]

/** The ids of all of them. */
export const sharedIds: ReadonlySet<string> = new Set(sharedRules.map(({ id }) => id))

export const isShared = (rule: ScreenRule): boolean => sharedRules.includes(rule)
