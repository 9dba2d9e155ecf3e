/** The pictures of a recording, in pieces that are asked for as they are needed. */
import { useEffect, useMemo, useRef, useState } from 'preact/hooks'
import { read, recordingPath } from '../host/ask.ts'
import type { Film, FilmPiece } from '../types.ts'
import { type DrawnRows, gridAt, pieceIndex, shownMoment } from './film.ts'

/** A piece has some 100 kB. */
const mostPieces = 12
/** What failed is asked for again after so long. ms */
const againMs = 3000
/** It may have to be judged again. ms */
const patienceMs = 90_000

type Shown = {
  /** Undefined while nothing has come yet. */
  readonly shown: DrawnRows | undefined
  /** It is of an earlier look: that of this moment has not come yet. */
  readonly isAwaited: boolean
  /** Nothing was on its screen at that moment: what is shown came then. Seconds */
  readonly from: number | undefined
  readonly problem: string | undefined
}

/**
 * @param film its pieces begin at these seconds, and its id keeps those of another one away
 * @param at seconds
 */
export function usePictures(name: string, { id, pieces }: Pick<Film, 'id' | 'pieces'>, at: number): Shown {
  const kept = useRef(new Map<number, FilmPiece>())
  const asked = useRef(new Set<number>())
  const last = useRef<DrawnRows | undefined>(undefined)
  const [count, setCount] = useState(0)
  const [problem, setProblem] = useState<string | undefined>(undefined)
  const index = Math.max(0, pieceIndex(pieces, at))

  const leave = useMemo(() => new AbortController(), [])
  useEffect(() => () => leave.abort(), [])

  // One that is under way goes on when the moment moves: it is needed soon, or was already.
  useEffect(() => {
    async function load(n: number): Promise<void> {
      const from = pieces[n]
      if (from === undefined || kept.current.has(n) || asked.current.has(n)) return
      asked.current.add(n)
      try {
        const path = recordingPath(name, `/screens?film=${id}&from=${from}`)
        kept.current.set(n, await read<FilmPiece>(path, leave.signal, patienceMs))
        const [oldest] = kept.current.keys()
        if (kept.current.size > mostPieces && oldest !== undefined) kept.current.delete(oldest)
        setProblem(undefined)
      } catch (error) {
        if (leave.signal.aborted) return
        setProblem((error as Error).message)
        await new Promise(resolve => setTimeout(resolve, againMs))
      } finally {
        asked.current.delete(n)
      }
      if (!leave.signal.aborted) setCount(before => before + 1)
    }
    void load(index)
    void load(index + 1)
  }, [index, count])

  const piece = kept.current.get(index)
  const moment = piece && index === 0 ? shownMoment(piece, at) : at
  const drawn = piece && gridAt(piece, moment)
  // The same array until another picture is due: nothing is drawn anew.
  const shown = useMemo(() => drawn?.grid, [piece, drawn?.picture, count])
  if (shown) last.current = shown
  return {
    ...{ shown: shown ?? last.current, isAwaited: shown === undefined, problem },
    from: moment > at ? moment : undefined,
  }
}
