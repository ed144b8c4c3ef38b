// `toMatchObject({ message: /…/ })` takes a pattern for an object without properties, which matches everything.
import { expect } from 'vitest'

expect.addEqualityTesters([
  (received, expected) =>
    expected instanceof RegExp && !(received instanceof RegExp)
      ? typeof received === 'string' && expected.test(received)
      : undefined,
])
