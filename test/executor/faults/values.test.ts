import { badValue, invalidBytes, refusedRow } from './kinds/bad-value.ts'
import { testFaults } from './matrix.ts'

testFaults('a value that does not fit fails the run, wherever it stands', [badValue, invalidBytes, refusedRow])
