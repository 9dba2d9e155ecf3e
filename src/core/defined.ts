type Defined<T> = { [K in keyof T as undefined extends T[K] ? never : K]: T[K] } & {
  [K in keyof T as undefined extends T[K] ? K : never]?: Exclude<T[K], undefined>
}

/** The fields that have a value: what is not known is left out, in data and in JSON. */
export function defined<const T extends object>(fields: T): Defined<T> {
  const found: Record<string, unknown> = {}
  for (const name of Object.keys(fields)) {
    const value = fields[name as keyof T]
    if (value !== undefined) found[name] = value
  }
  return found as Defined<T>
}
