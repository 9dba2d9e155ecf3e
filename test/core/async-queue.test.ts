/** A queue between one writer and one reader who takes what it can. */
import { expect, test } from 'vitest'
import { createAsyncQueue, mapped } from '../../src/core/async-queue.ts'

async function all<T>(values: AsyncIterable<T>): Promise<T[]> {
  const read: T[] = []
  for await (const value of values) read.push(value)
  return read
}

test('what came before the reader and before the end is read, in its order; nothing that came after', async () => {
  const queue = createAsyncQueue<number>()
  queue.push(1)
  queue.push(2)
  expect(queue.size).toBe(2)
  queue.end()
  queue.push(3)
  expect(await all(queue.values)).toEqual([1, 2])
})

test('readers that wait get one value each, and are let go at the end', async () => {
  const queue = createAsyncQueue<string>()
  const asked = [queue.values.next(), queue.values.next(), queue.values.next()]
  queue.push('first')
  queue.push('second')
  queue.end()
  expect(await Promise.all(asked)).toEqual([
    { value: 'first', done: false },
    { value: 'second', done: false },
    { value: undefined, done: true },
  ])
})

test('a reader that does not keep up misses the oldest', async () => {
  const queue = createAsyncQueue<number>(2)
  for (const value of [1, 2, 3, 4]) queue.push(value)
  queue.end()
  expect(await all(queue.values)).toEqual([3, 4])
})

test('a reader that leaves before the end is noticed once, and what waits is dropped', async () => {
  let left = 0
  const queue = createAsyncQueue<number>(Infinity, () => left++)
  queue.push(1)
  queue.push(2)
  for await (const value of queue.values) if (value === 1) break
  await queue.values.return?.()
  expect([left, queue.size]).toEqual([1, 0])
  expect(await queue.values.next()).toEqual({ value: undefined, done: true })
})

test('one that leaves after the end is nothing to notice', async () => {
  let left = 0
  const queue = createAsyncQueue<number>(Infinity, () => left++)
  queue.end()
  await queue.values.return?.()
  expect(left).toBe(0)
})

test('a reader of changed values leaves at once, also while it waits for the next', async () => {
  let left = 0
  const queue = createAsyncQueue<number>(Infinity, () => left++)
  const doubled = mapped(queue.values, value => 2 * value)
  queue.push(2)
  expect(await doubled.next()).toEqual({ value: 4, done: false })
  const awaited = doubled.next()
  await doubled.return?.()
  expect([await awaited, left]).toEqual([{ value: undefined, done: true }, 1])
})
