// Executors, their workers and the server are stopped and killed at random moments while runs append rows to tables that are looked at from
// outside. Whatever a run says in the end, its rows are there once or not at all, and it says so rightly.
// HEADGATE_COMMIT_FAULT_ROUNDS sets the number of faults (40 unless told), HEADGATE_COMMIT_FAULT_WORLDS how many installations share them.
import { expect, test } from 'vitest'
import { commitLedger } from './support/commit-world.ts'
import { seed } from './support/fault-seed.ts'

const rounds = Number(process.env.HEADGATE_COMMIT_FAULT_ROUNDS ?? 40)
const worlds = Number(process.env.HEADGATE_COMMIT_FAULT_WORLDS ?? 1)

test(`${rounds} stops and deaths of executors, workers and the server write nothing twice and make no run untrue`, async () => {
  const each = Array.from({ length: worlds }, (_, n) => Math.floor((rounds + n) / worlds))
  const ledgers = await Promise.all(each.map((faults, n) => commitLedger(faults, seed + n)))
  const runs = ledgers.flatMap((ledger) => ledger.runs)
  const ends = Object.groupBy(runs, ({ status, error_code }) => error_code ?? status)
  const told = Object.entries(ends).map(([end, list]) => `${list?.length} ${end}`)
  const doubled = ledgers.reduce((sum, ledger) => sum + ledger.doubled, 0)
  const untrue = ledgers.flatMap((ledger) => ledger.untrue)
  console.log(
    `${runs.length} runs over ${rounds} faults: ${told.join(', ')}; ${doubled} doubled, ${untrue.length} untrue; seed ${seed}${untrue.map((said) => `\n  ${said}`).join('')}`,
  )
  expect({ doubled, untrue }, `seed ${seed}`).toEqual({ doubled: 0, untrue: [] })
  expect(ends['success']?.length ?? 0).toBeGreaterThan(rounds / 10)
}, 7_200_000)
