/** Codex' screens. While its answer streams there is no row with a spinner: only the title tells. */
import { atComposer, rule, waiting, working } from '../screen/rule.ts'
import type { ScreenRules } from '../screen/screen-rule.ts'

export const screens: ScreenRules = {
  version: '0.169.0',
  hidesWork: true,
  rules: [
    rule(
      'menu',
      'dialog',
      /^\s*(?:Update Model Permissions|Select (?:Model|Reasoning|Approval)|Experimental features)\b/i,
      atComposer(),
      {
        isMenu: true,
        confidence: 0.8,
      },
    ),
    rule('plan', 'dialog', /\bimplement (?:this|the) plan\b/i, waiting('plan')),
    rule('question', 'dialog', /\bquestion \d+\/\d+\b|\benter to submit answer\b/i, waiting('question')),
    rule(
      'hook-review',
      'dialog',
      /\bhooks? (?:need|require)s? review|review (?:the )?hooks\b/i,
      waiting('trust'),
    ),
    rule(
      'permission',
      'dialog',
      /\bwould you like to (?:run|make|grant|allow|apply)\b|\btell codex what to do differently\b/i,
      waiting('permission'),
    ),
    rule('update', 'dialog', /\bupdate (?:available|now)\b/i, waiting('dialog')),
    // Notes to an answer are written in what looks like its composer.
    rule('notes', 'footer', /\besc to clear notes\b/i, waiting('question')),
    rule('spinner', 'activity', /^[•◦▌] .{1,80}\(\d[\dhms ]*\s*• esc to interrupt\)/iu, working()),
    rule('title-asks', 'title', /^\[ [.!] \] Action Required/u, waiting('dialog')),
    rule('title-works', 'title', /^[\u2800-\u28ff]/u, working()),
    rule('resting title', 'title', /\S/, atComposer(), { unless: /^(?:[\u2800-\u28ff]|\[ )/u }),
    rule('turn-over', 'recent', /^ {2}Worked for \d[\dhms ]* •/u, atComposer(), { confidence: 0.8 }),
    rule('error', 'recent', /^■ /u, atComposer('error'), { confidence: 0.8 }),
  ],
}
