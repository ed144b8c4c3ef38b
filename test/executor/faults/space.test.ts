import { fullAtTarget, fullWhileSpilling, memoryLimit } from './kinds/space.ts'
import { testFaults } from './matrix.ts'

testFaults('a full disk or memory fails the run, whenever it is', [fullWhileSpilling, fullAtTarget, memoryLimit])
