/** Screens as Claude Code draws them, row by row. */
export const edge = '─'.repeat(40)

export const rests = ['● Done.', '', '✻ Baked for 3s', '', edge, '❯ ', edge]
export const works = ['● So.', '', '✽ Brewing… (4s · ↓ 29 tokens)', '', edge, '❯ ', edge]
export const asks = [
  edge,
  ' Bash command',
  '   rm x',
  ' Do you want to proceed?',
  ' ❯ 1. Yes',
  '   2. No',
  ' Esc to cancel',
]
export const menu = [edge, ' Select model', ' ❯ 1. Large', '   2. Small', ' Enter to confirm · Esc to exit']
