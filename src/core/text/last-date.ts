/** Of what a `Date` can hold: ms since the epoch, as far before it as after (ECMA-262, Time Values and Time Range). */
export const lastDate = 8.64e15
