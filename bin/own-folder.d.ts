/** `missing`: it can be made, and would be this user's alone. */
export type Standing = 'own' | 'missing' | { readonly refused: string }

export function standingOf(folder: string): Standing

/** `anybody`: nothing is there, and whoever comes first decides. `other` says who else does, as a clause. */
export type Decider = 'own' | 'missing' | 'anybody' | { readonly other: string }

export function whoDecides(file: string): Decider

export function userName(uid: number): string
