/** A key of the browser by the name that `keys` of the API takes for it (tmux's). Pure. */

const named: Readonly<Record<string, string>> = {
  Enter: 'Enter',
  Escape: 'Escape',
  Tab: 'Tab',
  Backspace: 'BSpace',
  Delete: 'DC',
  ArrowUp: 'Up',
  ArrowDown: 'Down',
  ArrowLeft: 'Left',
  ArrowRight: 'Right',
  Home: 'Home',
  End: 'End',
  PageUp: 'PPage',
  PageDown: 'NPage',
}

/** The fields of a `KeyboardEvent`. */
type Pressed = {
  readonly key: string
  readonly ctrlKey: boolean
  readonly altKey: boolean
  readonly metaKey: boolean
  readonly shiftKey: boolean
  readonly isComposing: boolean
}

/** Undefined for what is no key of a terminal, or is still being composed. */
export function keyName({
  key,
  ctrlKey,
  altKey,
  metaKey,
  shiftKey,
  isComposing,
}: Pressed): string | undefined {
  // Ctrl+V is the browser's: what is pasted comes as a text.
  if (metaKey || isComposing || (ctrlKey && key.toLowerCase() === 'v')) return undefined
  if (key === 'Tab' && shiftKey) return 'BTab'
  const base = named[key] ?? (Array.from(key).length === 1 ? (key === ' ' ? 'Space' : key) : undefined)
  if (base === undefined) return undefined
  return `${ctrlKey ? 'C-' : ''}${altKey ? 'M-' : ''}${base}`
}
