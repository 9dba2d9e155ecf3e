/** Which of the keys that a person types may be recorded. Pure. */

/** How the terminal stood when a key was typed; undefined where nobody can tell. */
type Settings = { readonly echo: boolean; readonly canonical: boolean } | undefined

/** Stands for text that was typed and is not shown here. */
const hidden = '•'

/** Escape sequences (arrows, pastes' brackets, mouse) and single control characters. */
const controls = /(\u001b(?:\[[0-?]*[ -/]*[@-~]|O.|.)?|[\u0000-\u001f\u007f])/

/**
 * Where the terminal echoes, keys stand on the screen anyway. A line that is typed without echo is a password: nothing of
 * it is recorded, not even its length. A program that takes single keys (a composer, a pager) echoes by itself or not:
 * its keys are recorded as far as they are no text, and what it shows of the text stands in its output.
 * @returns undefined where nothing may be recorded
 */
export function recordableKeys(keys: string, settings: Settings): string | undefined {
  if (!settings) return undefined
  if (settings.echo) return keys
  if (settings.canonical) return undefined
  return keys
    .split(controls)
    .map((part, at) => (at % 2 === 1 || part === '' ? part : hidden))
    .join('')
}
