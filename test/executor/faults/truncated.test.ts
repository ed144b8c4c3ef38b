import { truncated } from './kinds/truncated.ts'
import { testFaults } from './matrix.ts'

testFaults('a body that is cut short fails the run, wherever it ends', [truncated])
