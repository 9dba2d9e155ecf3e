/** Texts whose width needs no table. Pure. */

/** Letters, signs, lines and spinners that take a cell each, whatever stands beside them. */
const narrow =
  /^[ -~\u00a1-\u00ac\u00ae-\u02ff\u2010-\u2027\u2500-\u25a9\u25cb-\u25cf\u276f\u279c\u2800-\u28ff]*$/

export const isNarrow = (text: string): boolean => narrow.test(text)
