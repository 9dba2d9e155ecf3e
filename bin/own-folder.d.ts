/** `missing`: it can be made, and would be this user's alone. */
export type Standing = 'own' | 'missing' | { readonly refused: string }

export function standingOf(folder: string): Standing

/** `anybody`: nothing is there, and whoever comes first decides. `other` says who else does, as a clause. */
export type Decider = 'own' | 'missing' | 'anybody' | { readonly other: string }

export function whoDecides(file: string): Decider

export function isOwnOrSystem(stat: { readonly uid: number }): boolean

/** Undefined where nobody but its owner may write in it. @param at how a sentence names it */
export function whyOpen(
  at: string,
  stat: { readonly mode: number; readonly uid: number; readonly gid: number },
): string | undefined

export function userName(uid: number): string
