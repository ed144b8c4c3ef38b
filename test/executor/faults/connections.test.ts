import { describe } from 'vitest'
import { endedSession } from './kinds/bad-value.ts'
import { cutSource, cutTarget, endedAtTarget } from './kinds/cut.ts'
import { testFaults } from './matrix.ts'

describe('a connection that is lost fails the run, whenever it is', () => {
  testFaults([cutSource, cutTarget, endedSession, endedAtTarget])
})
