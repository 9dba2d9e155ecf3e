/** Final messages as models write them, with what they report: nothing where they only show, quote or explain a marker. */

export const idle = '<!-- ralph:state idle -->'
const done = '<!-- ralph:state done -->'

export type Message = {
  readonly what: string
  readonly text: string
  /** The marker's name; null where none counts. */
  readonly reports: string | null
  readonly prompt?: string
}

const template = `Look at the issues.

When there is nothing to do, end with:

${idle}

and nothing else.`

const reports = (what: string, text: string, reports = 'idle', prompt?: string): Message =>
  prompt === undefined ? { what, text, reports } : { what, text, reports, prompt }

const shows = (what: string, text: string, prompt?: string): Message =>
  prompt === undefined ? { what, text, reports: null } : { what, text, reports: null, prompt }

const long = Array.from({ length: 120 }, (_, i) => `Line ${i} of a long report on the queue.`).join('\n')

export const messages: readonly Message[] = [
  reports('the marker alone', idle),
  reports('no line end after it', `Nothing to do.\n${idle}`),
  reports('a line end after it', `Nothing to do.\n\n${idle}\n`),
  reports('blank lines after it', `Nothing to do.\n\n${idle}\n\n\n`),
  reports('blanks after it', `Nothing to do.\n${idle}   \t`),
  reports('Windows line ends', `Nothing to do.\r\n\r\n${idle}\r\n`),
  reports('old Mac line ends', `Nothing to do.\r${idle}\r`),
  reports('a byte order mark', `\uFEFF${idle}\n`),
  reports('up to three blanks before it', `Nothing to do.\n   ${idle}`),
  reports('right below a paragraph', `I looked at every issue and\nfound none open.\n${idle}`),
  reports('text after it', `${idle}\n\nI will look again in the next iteration.`),
  reports('in the middle', `No open issues.\n\n${idle}\n\nLet me know if there is anything else.`),
  reports('upper case', '<!-- RALPH:STATE IDLE -->'),
  reports('mixed case', '<!-- ralph:state Idle -->'),
  reports('no blanks inside', '<!--ralph:state idle-->'),
  reports('many blanks inside', '<!--   ralph:state \t idle   -->'),
  reports('a reason', '<!-- ralph:state idle nothing labelled “ready” -->'),
  reports('a reason with quotes', '<!-- ralph:state waiting for "deploy" to finish -->', 'waiting'),
  reports('until', '<!-- ralph:state idle until=30m -->'),
  reports('until in the middle', '<!-- ralph:state waiting until=2026-11-22T10:00:00Z for CI -->', 'waiting'),
  reports('until that is no time', '<!-- ralph:state idle until=tomorrow -->'),
  reports('blocked', 'I need a key.\n<!-- ralph:state blocked no API key in .env -->', 'blocked'),
  reports('done', `All of TODO.md is done.\n\n${done}`, 'done'),
  reports('a state of its own', '<!-- ralph:state sleeping -->', 'sleeping'),
  reports('two: the last one', `${idle}\n\nOn second thought, all is done.\n\n${done}`, 'done'),
  reports('two of them, one below the other', `${idle}\n${done}`, 'done'),
  reports('after a code block', `\`\`\`sh\ngh issue list\n\`\`\`\n\n${idle}`),
  reports('right after a code block', `\`\`\`\nno issues\n\`\`\`\n${idle}`),
  reports('between two code blocks', `\`\`\`\na\n\`\`\`\n${idle}\n\`\`\`\nb\n\`\`\``),
  reports('after a code block that shows one', `\`\`\`\n${done}\n\`\`\`\n\n${idle}`),
  reports('after a fence of tildes', `~~~\n\`\`\`\n~~~\n${idle}`),
  reports('after a fence of four that shows one of three', `\`\`\`\`md\n\`\`\`\n\`\`\`\`\n\n${idle}`),
  reports(
    'after code in a list',
    `1. Ran:\n   \`\`\`sh\n   gh issue list\n   \`\`\`\n2. Found none.\n\n${idle}`,
  ),
  reports('after a list', `- checked the issues\n- checked the branches\n\n${idle}`),
  reports('right below a list', `- checked the issues\n- checked the branches\n${idle}`),
  reports('after a quotation of several lines', `> all tests\n> pass\n\n${idle}`),
  reports('right below a block quote', `> 12 passed\n${idle}`),
  reports('after inline code', `I fixed \`parse()\` in \`a.ts\`. Nothing else is open.\n${idle}`),
  reports('after inline code with the start of a comment', `\`<!--\` is parsed now.\n\n${idle}`),
  reports('after a comment', `<!-- checked at noon -->\n\n${idle}`),
  reports('after a comment of two lines', `<!-- checked\nat noon -->\n\n${idle}`),
  reports('after a quotation in the prose', `The log says "no work", so does the board.\n\n${idle}`),
  reports('after inches', `The 5" panel is fixed.\n\n${idle}`),
  reports('after a quotation that was never closed', `It says “no work.\n\n${idle}\n\nSo be it.`),
  reports('after code with a quotation mark', `\`\`\`sh\necho "\n\`\`\`\n\n${idle}\n\nThe 5" panel is next.`),
  reports('after a line that begins with code', `\`\`\`npm test\`\`\` passes.\n\n${idle}`),
  reports('after an element', `<details>\n<summary>log</summary>\nnothing\n</details>\n\n${idle}`),
  reports('after generics', `Vec<String> is gone from the API.\n${idle}`),
  reports('after a table', `| issue | state |\n|---|---|\n| #1 | closed |\n\n${idle}`),
  reports('after a heading', `## Status\n${idle}`),
  reports('after a long report', `${long}\n\n${idle}`),
  reports('shown in code before, and said', `I end with \`${idle}\` as there is nothing:\n\n${idle}`),
  reports('as the prompt wanted it', `No issues are open.\n\n${idle}`, 'idle', template),
  reports('alone, as the prompt wanted it', idle, 'idle', template),
  reports('after an echo of the prompt', `${template}\n\nNo issues.\n\n${idle}`, 'idle', template),

  reports('at the end of a line', `Nothing to do. ${idle}`),
  reports('at the end of a paragraph', `I looked at every issue.\nNothing is open. ${idle}\n\nSo be it.`),
  reports('at the end of a line, with more behind it', `Nothing is left! ${idle}\n\nI will look again.`),
  reports('behind a dash', `No work left — ${idle}`),
  reports('behind a tick', `All done ✅ ${idle}`),
  reports('behind inline code', `I ran \`npm test\`. ${idle}`),
  reports('behind a quotation that is closed', `The log says "no work." ${idle}`),
  reports('emphasis', `**${idle}**`),
  reports('an item of a list', `- ${idle}`),
  reports('the last item of a list', `I looked around.\n\n- Issues: none.\n- Branches: none.\n- ${idle}`),
  reports('at the end of an item', `1. I looked at the issues.\n2. Nothing to do. ${idle}`),
  reports('below an item that is said', `- Looked at the issues. None.\n  ${idle}`),
  reports('a ticked item', `- [x] Everything is done. ${done}`, 'done'),
  reports('a heading', `## Nothing to do. ${idle}`),

  reports(
    'in the form that the prompt ends with',
    `## Status\n${idle}`,
    'idle',
    `Look.\nEnd so:\n\n## Status\n${idle}`,
  ),
  reports('said by an agent that is told nothing else', `No work.\n${idle}`, 'idle', idle),

  shows(
    'the form that the prompt ends with',
    `Look.\nEnd so:\n\n## Status\n${idle}`,
    `Look.\nEnd so:\n\n## Status\n${idle}`,
  ),
  shows('all that the prompt is', idle, idle),
  shows('nothing', 'All tests pass.'),
  shows('an empty message', ''),
  shows('the word alone', 'Status: IDLE. Nothing to do.'),
  shows('another comment', '<!-- idle -->'),
  shows('a comment about it', '<!-- todo: say ralph:state idle here -->'),
  shows('inline code', `I would print \`${idle}\` when nothing is left.`),
  shows('inline code on a line of its own', `I would print:\n\`${idle}\``),
  shows('inline code with two ticks', `I would print \`\`${idle}\`\`.`),
  shows('inline code over several lines', `I would print \`the line\n${idle}\nas it is\` then.`),
  shows('a code block', `The marker is:\n\n\`\`\`html\n${idle}\n\`\`\``),
  shows('a code block in a list', `1. Print:\n   \`\`\`\n   ${idle}\n   \`\`\`\n2. Stop.`),
  shows('a code block after a list mark', `- \`\`\`\n  ${idle}\n  \`\`\``),
  shows('a fence of tildes', `~~~\n${idle}\n~~~`),
  shows('a fence in a longer one', `\`\`\`\`md\n\`\`\`\n${idle}\n\`\`\`\n\`\`\`\``),
  shows('a fence that another mark does not close', `\`\`\`\n~~~\n${idle}\n\`\`\``),
  shows('a fence with words after it, which closes nothing', `\`\`\`\n\`\`\`js\n${idle}\n\`\`\``),
  shows(
    'a fence with an indented one in it, which closes nothing',
    `\`\`\`md\n- a\n      \`\`\`\n${idle}\n\`\`\``,
  ),
  shows('a fence that is never closed', `The file ends so:\n\`\`\`md\n# Notes\n${idle}`),
  shows('an indented code block', `The line is\n\n    ${idle}\n\nas you see.`),
  shows('a code block indented by a tab', `The line is\n\n\t${idle}`),
  shows('a block quote', `> ${idle}`),
  shows('a block quote in prose', `The prompt says:\n\n> When nothing is left, print\n> ${idle}`),
  shows('a block quote whose mark was forgotten', `> when idle, print\n${idle}\n> and stop`),
  shows('quotation marks', `"${idle}"`),
  shows('quotation marks in prose', `The file says "${idle}" at its end.`),
  shows('a quotation over several lines', `The file says "print\n${idle}\nand stop", so I did not.`),
  shows('a typographic quotation', `It says “print\n${idle}\nand stop”.`),
  shows('in a sentence', `I did not print ${idle} as there is work left.`),
  shows('after words', `Status: ${idle}`),
  shows('before words', `${idle} is what I would print.`),
  shows('a list', `The states are:\n- ${idle}\n- ${done}`),
  shows('a list without code', `- When idle, print\n  ${idle}`),
  shows('a numbered list', `1. Look at the issues.\n2. If there are none:\n\n   ${idle}`),
  shows('an item that says when', `- When nothing is left, print ${idle}`),
  shows('an item that a colon announces', `To stop me:\n\n- ${idle}\n- ask`),
  shows('a list of all of them with words', `- Nothing to do. ${idle}\n- All is done. ${done}`),
  shows('a block quote at the end of its line', `> Nothing to do. ${idle}`),
  shows('a block quote in a list', `- > Nothing to do. ${idle}`),
  shows(
    'quotation marks that a line before opened',
    `It says "look.\nNothing to do. ${idle}\nand stop", so I did not.`,
  ),
  shows('quotation marks around a sentence', `The file says "Nothing to do. ${idle}".`),
  shows('a fence at the end of its line', `\`\`\`\nNothing to do. ${idle}\n\`\`\``),
  shows('inline code behind a sentence', `I would say so. \`${idle}\``),
  shows('a colon before it', `I end with: ${idle}`),
  shows('a file and a line', `RALPH.md:12: ${idle}`),
  shows('the middle of a paragraph', `It is done. ${idle} is what I would print.`),
  shows('a prompt of one line', `Look. Then end. ${idle}`, `Look. Then end. ${idle}`),
  shows('a table', `| marker | meaning |\n|---|---|\n| ${idle} | nothing to do |`),
  shows('an element', `<example>\n${idle}\n</example>`),
  shows('preformatted text', `<pre>\n${idle}\n</pre>`),
  shows('an element that begins in a line', `Like so: <blockquote>\n${idle}\n</blockquote> Not now.`),
  shows('folded details', `<details><summary>the prompt</summary>\n\n${idle}\n\n</details>\n\nWork goes on.`),
  shows('a comment around it', `<!--\n${idle}\n-->`),
  shows('a comment over several lines', '<!--\nralph:state idle\n-->'),
  shows('two on a line', `${idle} ${done}`),
  shows('a diff', `+${idle}\n-${done}`),
  shows('a diff with blanks', `- ${idle}\n+ ${done}`),
  shows('line numbers', `12: ${idle}`),
  shows('an escaped one', '\\<!-- ralph:state idle -->'),
  shows('entities', '&lt;!-- ralph:state idle --&gt;'),
  shows('without a state', '<!-- ralph:state -->'),
  shows('the syntax itself', '<!-- ralph:state NAME [REASON] [until=TIME] -->'),
  shows('the syntax of one', '<!-- ralph:state blocked REASON -->'),
  shows('the syntax of a time', '<!-- ralph:state idle until=TIME -->'),
  shows('no state but a sign', '<!-- ralph:state ??? -->'),
  shows('another namespace', '<!-- ralph:status idle -->'),
  shows('the prompt once more', template, template),
  shows('the prompt once more, with an answer', `${template}\n\nI closed #12.`, template),
  shows('the prompt between other words', `user\n${template}\nassistant\nI closed #12.`, template),
  shows(
    'a part of the prompt',
    `When there is nothing to do, end with:\n\n${idle}\n\nand nothing else.\n\nOk.`,
    `Look.\nAt.\n${template}`,
  ),
]
