/** Text as markup that means the text: the three characters that both Slack and the desktop's notifications ask for. */
export const escapedMarkup = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
