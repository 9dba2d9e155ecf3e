/**
 * Takes inputs one after the other, in the order of their arrival: what an effect of one brings back at once waits until that one
 * is done. For runners of pure steps.
 */
export function oneByOne<Input>(take: (input: Input) => void): (input: Input) => void {
  const waiting: Input[] = []
  let isBusy = false
  return input => {
    waiting.push(input)
    if (isBusy) return
    isBusy = true
    try {
      for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) take(next)
    } finally {
      isBusy = false
    }
  }
}
