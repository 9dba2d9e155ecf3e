/**
 * What of a program's output a viewer's own terminal gets: all but questions to the terminal, which have been answered
 * already. A second answer would be typed into the program. Pure.
 */

/** Device attributes, status and position reports, modes, sizes; colours, capabilities, settings and the status protocol. */
const question =
  /\u001b\[(?:[>=?]?\d*c|\??[56]n|\??[\d;]*\$p|>\d*q|\?u|(?:11|13|14|15|16|18|19|20|21)(?:;\d+)?t|\?\d*(?:;\d+)*S)|\u001bZ|\u001b\](?:4;\d+|10|11|12|7501);\?(?:\u0007|\u001b\\)|\u001bP[+$]q[^\u001b]*\u001b\\/g

/** Where an incomplete sequence begins. */
const unfinished = /\u001b(?:\[[\d;?>=$]*|\][^\u0007\u001b]{0,64}\u001b?|P(?:[+$](?:q[^\u001b]*\u001b?)?)?)?$/

/** A question is short: what is held back longer is none. */
const longestHeld = 512

/**
 * @param text as it was printed, one character a byte
 * @param held what the call before held back
 */
export function viewerOutput(text: string, held: string): { readonly shown: string; readonly held: string } {
  let whole = held + text
  // The text around a sequence may form another.
  for (let before = ''; before !== whole; ) {
    before = whole
    whole = whole.replace(question, '')
  }
  const rest = unfinished.exec(whole)?.[0] ?? ''
  if (rest.length > longestHeld) return { shown: whole, held: '' }
  return { shown: whole.slice(0, whole.length - rest.length), held: rest }
}
