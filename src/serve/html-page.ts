/** A page of the API's own: no script, one constant style, and text that can't be markup. */

/** For text and for attributes in double quotes. */
export const html = (text: string): string => text.replace(/[&<>"']/g, found => `&#${found.charCodeAt(0)};`)

/**
 * Text that is wrapped anywhere and never scrolls by itself: all of it stands on the page, whatever the width. Its letters stand in the
 * order in which a program reads them.
 */
export const exactText = (text: string): string => `<bdo dir="ltr">${html(text)}</bdo>`

const style =
  ':root{color-scheme:light dark}' +
  'body{max-width:60em;margin:auto;padding:8px;font:16px/1.5 system-ui,sans-serif}' +
  'h1{font-size:1.3em}' +
  'p,pre,button{margin:8px 0;overflow-wrap:anywhere;text-align:left}' +
  'pre{font:14px monospace;font-variant-ligatures:none;white-space:break-spaces;overflow:visible}' +
  'button{max-width:100%;padding:8px 16px;font:inherit;white-space:break-spaces}'

/** In the policy of the API: no other style counts. */
export const styleSource = `'sha256-${process.getBuiltinModule('node:crypto').hash('sha256', style, 'base64')}'`

/** @param body markup: what is not of lull's own goes through `html` */
export const htmlPage = (body: string): string =>
  `<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>lull</title><style>${style}</style><body>${body}</body></html>`
