/** `missing`: it can be made, and would be this user's alone. */
export type Standing = 'own' | 'missing' | { readonly refused: string }

export function standingOf(folder: string): Standing
