import { endedSession } from './kinds/bad-value.ts'
import { cutSource, cutTarget, endedAtTarget } from './kinds/cut.ts'
import { testFaults } from './matrix.ts'

testFaults('a connection that is lost fails the run, whenever it is', [
  cutSource,
  cutTarget,
  endedSession,
  endedAtTarget,
])
