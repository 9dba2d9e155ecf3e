/** A page of the API's own: no script, no style that is fetched, and text that can't be markup. */

/** For text and for attributes in double quotes. */
export const html = (text: string): string => text.replace(/[&<>"']/g, found => `&#${found.charCodeAt(0)};`)

/** @param body markup: what is not of lull's own goes through `html` */
export const htmlPage = (body: string): string =>
  `<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>lull</title><body>${body}</body></html>`
