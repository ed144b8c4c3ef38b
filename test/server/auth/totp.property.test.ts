// Random sequences of codes, right, wrong, used and late, with restarts and time between them, against a small model of what
// must happen.
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type Net, codeNets } from '../../../src/server/features/auth/throttle.rules.ts'
import { createTestClock } from '../../support/platform.ts'
import { restartTestServer } from '../../support/restart.ts'
import { startTestServer } from '../../support/server.ts'
import { codeAt, enrol, pendingVisitor, visitorAfter, wrongCode } from '../../support/totp.ts'

type Step =
  | { do: 'code'; steps: number }
  | { do: 'wrong'; times: number }
  | { do: 'recovery'; which: number }
  | { do: 'wait'; seconds: number }
  | { do: 'restart' }

const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 6, arbitrary: fc.record({ do: fc.constant('code' as const), steps: fc.integer({ min: -3, max: 3 }) }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('wrong' as const), times: fc.integer({ min: 1, max: 3 }) }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('recovery' as const), which: fc.integer({ min: 0, max: 11 }) }) },
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constant('wait' as const),
      seconds: fc.oneof(fc.integer({ min: 1, max: 90 }), fc.constant(900), fc.constant(86_400)),
    }),
  },
  { weight: 1, arbitrary: fc.constant({ do: 'restart' as const }) },
)

/** Counts of one net, as the rules say it in words. */
function countedBy({ limit, windowMs, forgiving }: Net) {
  let failures = 0
  let began = 0
  const settle = (now: number) => {
    if (now >= began + windowMs) failures = 0
    if (failures === 0) began = now
  }
  return {
    blocked(now: number): boolean {
      settle(now)
      return failures >= limit
    },
    failed: () => void failures++,
    right: () => void (failures = forgiving ? 0 : failures),
  }
}

test('whatever is tried in whatever order: each code is right once, at its time, and never while too many were wrong', async () => {
  const clock = createTestClock()
  const options = { clock, config: { totpRequired: true } }
  let server = await startTestServer(options)
  const account = { username: 'ada', password: 'correct horse' }
  const first = visitorAfter(server, await server.client.post('/api/auth/bootstrap', account))
  const enrolled = await enrol(server, first)
  const { secret } = enrolled

  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 25 }), async (steps) => {
      // What is tried below must not lie in the windows of what was tried before.
      clock.advance(codeNets.day.windowMs)
      const full = await pendingVisitor(server).post('/api/auth/verify-totp', { code: codeAt(secret, clock.now()) })
      const renewed = await visitorAfter(server, full).post('/api/auth/recovery-codes', { password: account.password })
      const { recovery_codes: codes } = renewed.body as { recovery_codes: string[] } // as the contract has it
      const nets = Object.values(codeNets).map(countedBy)
      const left = new Set(codes)
      const now = () => Math.floor(clock.now().getTime() / 30_000)
      let lastStep = now()

      const attempt = async (code: string, isRight: () => boolean) => {
        const at = clock.now().getTime()
        // Every net is looked at: those whose window is over begin anew.
        const blocked = nets.map((net) => net.blocked(at)).some(Boolean)
        const expected = blocked ? 429 : isRight() ? 200 : 400
        for (const net of nets) {
          if (expected === 200) net.right()
          else if (expected === 400) net.failed()
        }
        const answer = await pendingVisitor(server).post('/api/auth/verify-totp', { code })
        const body = expected === 200 ? { recovery_codes_left: left.size } : {}
        expect(answer).toMatchObject({ status: expected, body })
      }

      for (const each of steps) {
        if (each.do === 'wait') clock.advance(each.seconds * 1_000)
        else if (each.do === 'restart') server = await restartTestServer(server, options)
        else if (each.do === 'wrong') {
          for (let i = 0; i < each.times; i++) await attempt(wrongCode(secret, clock.now()), () => false)
        } else if (each.do === 'recovery') {
          const code = codes[each.which] ?? '0000-0000-0000'
          await attempt(code, () => left.delete(code))
        } else {
          const wanted = now() + each.steps
          await attempt(codeAt(secret, clock.now(), each.steps), () => {
            if (Math.abs(each.steps) > 1 || wanted <= lastStep) return false
            lastStep = wanted
            return true
          })
        }
      }
    }),
    { numRuns: 25 },
  )
  await server.close()
}, 120_000)
