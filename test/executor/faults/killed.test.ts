import { describe } from 'vitest'
import { workerKilled } from './kinds/killed.ts'
import { testFaults } from './matrix.ts'

describe('a worker that is killed leaves the target as it was, or as the docs say', () => {
  testFaults([workerKilled])
})
