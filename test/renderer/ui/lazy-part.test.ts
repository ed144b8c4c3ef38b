import { expect, it } from 'vitest'
import { untilLoaded } from '../../../src/renderer/ui/lazy-part.ts'

it('a part that could not be loaded is asked for again until it is there', async () => {
  let asked = 0
  const load = async () => {
    asked += 1
    if (asked < 3) throw new TypeError('Failed to fetch dynamically imported module')
    return 'the part'
  }
  expect(await untilLoaded(load, 1)).toBe('the part')
  expect(asked).toBe(3)
})
