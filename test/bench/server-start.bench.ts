// From spawn to the ready line with 1,000,000 runs in the store, warm, and memory when idle.
import { rmSync } from 'node:fs'
import { serverEntry, startServerProcess } from '../faults/support/server-process.ts'
import type { BenchResult } from './result.ts'
import { makeBigStore } from './support/big-store.ts'
import { percentile } from './support/fake-fleet.ts'

const starts = 7
const idleMs = 3000

export async function run(): Promise<BenchResult[]> {
  const { dataDir } = await makeBigStore()
  const ready: number[] = []
  const memory: number[] = []
  for (let i = 0; i < starts; i++) {
    const server = await startServerProcess(dataDir)
    ready.push(server.readyMs)
    if (i === starts - 1) await new Promise((resolve) => setTimeout(resolve, idleMs))
    memory.push(server.rssMb())
    await server.stop()
  }
  rmSync(dataDir, { recursive: true, force: true })
  const median = Math.round(percentile(ready.slice(1), 0.5))
  const idle = Math.round(memory.at(-1)!)
  const built = serverEntry().endsWith('.js')
  return [
    {
      name: 'start to ready with 1M runs, median',
      value: median,
      unit: 'ms',
      bar: '≤ 600 ms',
      passed: median <= 600,
      note: `${ready.map(Math.round).join(', ')} ms${built ? '' : '; from sources, not built'}`,
    },
    { name: 'idle memory with 1M runs', value: idle, unit: 'MB', bar: '≤ 120 MB', passed: idle <= 120 },
  ]
}
