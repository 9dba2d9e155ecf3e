/** The colours read on a light terminal as on a dark one. */
import { expect, test } from 'vitest'
import { inColour, paletteOf } from '../../src/cli/ui/colours.ts'
import { coloured } from '../../src/core/text/printable.ts'

/** The 6 × 6 × 6 of the 256, which no theme changes. */
const levels = [0, 95, 135, 175, 215, 255]
const channels = (number: number): readonly number[] =>
  [36, 6, 1].map(step => levels[Math.floor((number - 16) / step) % 6] as number)

/** WCAG 2.2, relative luminance. */
const luminance = (rgb: readonly number[]): number => {
  const [red = 0, green = 0, blue = 0] = rgb.map(value => {
    const part = value / 255
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}
const contrast = (a: number, b: number): number => (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05)

test.each(Object.entries(paletteOf()))(
  '%s, colour %i, has a contrast of 3.5 on white and on black',
  (_, number) => {
    expect(number).toBeGreaterThanOrEqual(16)
    const light = luminance(channels(number))
    expect(contrast(light, luminance([255, 255, 255]))).toBeGreaterThan(3.5)
    expect(contrast(light, luminance([0, 0, 0]))).toBeGreaterThan(3.5)
  },
)

test('yellow and cyan as xterm has them would fail', () => {
  for (const rgb of [
    [205, 205, 0],
    [0, 205, 205],
  ])
    expect(contrast(luminance(rgb), luminance([255, 255, 255]))).toBeLessThan(2)
})

test('reaches the terminal as it is, and takes back only what it set', () => {
  expect(coloured(inColour('stuck', 'wrong'))).toBe('\u001b[38;5;160mstuck\u001b[39m')
  expect(coloured(inColour('gone', 'faint'))).toBe('\u001b[2mgone\u001b[22m')
  expect(inColour('idle', 'plain')).toBe('idle')
})
