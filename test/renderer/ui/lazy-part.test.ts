import { expect, it } from 'vitest'
import { untilLoaded, whileAway } from '../../../src/renderer/ui/lazy-part.ts'

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

const missing = new TypeError('Failed to fetch dynamically imported module')

it('a page waits for a server that is away', async () => {
  let asked = 0
  const load = async () => {
    asked += 1
    if (asked < 3) throw missing
    return 'the page'
  }
  expect(await whileAway(load, async () => false, 1)).toBe('the page')
})

it('a page that a server which is there no longer has says so', async () => {
  const load = async () => {
    throw missing
  }
  await expect(whileAway(load, async () => true, 1)).rejects.toBe(missing)
})

it('a server that came back between the two questions gives the page', async () => {
  let asked = 0
  const load = async () => {
    asked += 1
    if (asked < 2) throw missing
    return 'the page'
  }
  expect(await whileAway(load, async () => true, 1)).toBe('the page')
})
