import { describe } from 'vitest'
import { truncated } from './kinds/truncated.ts'
import { testFaults } from './matrix.ts'

describe('a body that is cut short fails the run, wherever it ends', () => {
  testFaults([truncated])
})
