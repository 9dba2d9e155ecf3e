/** The C library. What calls it takes some ms to load: only where it is used, and when it is. */
import { createRequire } from 'node:module'
import { attempt } from '../attempt.ts'

type Koffi = typeof import('koffi').default

let koffi: Koffi | undefined
let library: ReturnType<Koffi['load']> | undefined

/**
 * A function of the C library.
 * @param prototype as C declares it; `_Out_` and `_Inout_` mark what it writes into
 * @throws where koffi does not load on this machine, or the library has no such function
 */
export function bindC<F>(prototype: string): F {
  koffi ??= createRequire(import.meta.url)('koffi') as Koffi
  library ??= koffi.load(null)
  return library.func(prototype) as F
}

/** As `bindC`, when it is needed first; undefined where it can't be called here. */
export function cFunction<F>(prototype: string): () => F | undefined {
  let bound: { readonly call: F | undefined } | undefined
  return () => {
    bound ??= { call: attempt(() => bindC<F>(prototype)) }
    return bound.call
  }
}

/** Of the call before; 0 where none was made. */
export const errno = (): number => koffi?.errno() ?? 0
