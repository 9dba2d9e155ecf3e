/** Claude Code's screens. Glyph and verb of its spinner are random: what tells is the row's make. */
import { atComposer, rule, waiting, working } from '../screen/rule.ts'
import type { ScreenRules } from '../screen/screen-rule.ts'

/** `✽ Brewing… (4s · ↓ 29 tokens)`; a prompt, a message and a tool begin otherwise. */
const spinning = /^ {0,2}[·✢✳✶✻✽✺∗*⋆◐◓◑◒]\s\S.{0,80}?(?:…|\.{3})(?:\s*$|\s*[(·])/u

export const screens: ScreenRules = {
  version: '2.1.330',
  turnOver: /^ {0,2}\S \S+ for \d[\dhms ]*(?: ·|$)/u,
  rules: [
    rule('transcript', 'bottom', /\bshowing detailed transcript\b/i, atComposer(), {
      isMenu: true,
      confidence: 0.6,
    }),
    rule('resume', 'bottom', /^ {0,2}Resume (?:Session|a conversation)\b/, atComposer(), {
      isMenu: true,
      confidence: 0.8,
    }),
    rule('mode-modal', 'dialog', /\bmake auto mode your default\b/i, waiting('dialog')),
    rule('settings-warning', 'dialog', /\bsettings (?:warning|error)\b/i, waiting('dialog')),
    rule(
      'plan',
      'dialog',
      /\b(?:would you like to proceed|ready to code|written up a plan|auto-?accept edits)\b/i,
      waiting('plan'),
      {
        unless: /\brequires approval\b/i,
      },
    ),
    rule(
      'question',
      'dialog',
      /\benter to select\b.*\b(?:navigate|tab)\b|^\s*(?:\d\.\s+)?(?:type something|chat about this)\b/i,
      waiting('question'),
      {
        unless:
          /\bdo you want to (?:proceed|make|create|allow)\b|\b(?:model|resume|theme|config|settings)\b/i,
      },
    ),
    rule('api-retry', 'activity', /^ {0,2}\S .{0,120}· retrying in \d/u, working('retrying')),
    rule('api-wait', 'activity', /^ {0,2}\S Waiting for API response\b/u, working('retrying')),
    rule('compacting', 'activity', /^ {0,2}\S Compacting conversation\b/u, working('compacting')),
    rule('spinner', 'activity', spinning, working(), { unless: /^ {0,2}\S Waiting for \d+ background/u }),
    rule(
      'background-agents',
      'activity',
      /^ {0,2}\S Waiting for \d+ (?:background )?(?:agent|task|workflow)/iu,
      working('background'),
      {
        unless: /^ {0,2}\S \S+ for \d[\dhms ]*(?: · done .{1,20})?$/u,
      },
    ),
    rule(
      'background-shell',
      'activity',
      /^ {0,2}\S \S+ for \d.* · \d+ (?:shell|monitor|task)s? still running/u,
      working('background'),
    ),
    rule(
      'background-footer',
      'footer',
      /· \d+ (?:background )?(?:shell|bash|task|agent)s?(?: running)?(?: ·|\s*$)/i,
      working('background'),
    ),
    rule('api-error', 'recent', /^ {0,2}[●⏺]\s+API Error\b/u, atComposer('error'), {
      unless: /\besc to interrupt\b/i,
    }),
  ],
}
