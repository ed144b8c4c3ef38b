import { describe } from 'vitest'
import { badValue, invalidBytes, refusedRow } from './kinds/bad-value.ts'
import { testFaults } from './matrix.ts'

describe('a value that does not fit fails the run, wherever it stands', () => {
  testFaults([badValue, invalidBytes, refusedRow])
})
