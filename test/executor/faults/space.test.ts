import { describe } from 'vitest'
import { fullAtTarget, fullWhileSpilling, memoryLimit } from './kinds/space.ts'
import { testFaults } from './matrix.ts'

describe('a full disk or memory fails the run, whenever it is', () => {
  testFaults([fullWhileSpilling, fullAtTarget, memoryLimit])
})
