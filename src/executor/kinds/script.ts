import { runScript } from '../sandbox/script.ts'
import type { KindRunner } from './kind.types.ts'

const defaultTimeout = 60_000
/** Of the result as JSON; outputs are smaller still. */
const longestResult = 8 * 1024 * 1024

export const scriptRunner: KindRunner<'script'> = {
  kind: 'script',
  async run({ script, timeout_ms }, { scope, io, signal, log }) {
    const began = performance.now()
    const result = await runScript({
      code: script.code,
      args: scope.args ?? {},
      run: scope.run ?? {},
      memoryMb: script.memory_mb,
      timeoutMs: timeout_ms ?? defaultTimeout,
      longestResult,
      signal,
      log: (level, message) => log(level, message),
      logRoom: io.logRoom,
    })
    log('debug', `The script ran for ${Math.round(performance.now() - began)} ms`)
    return { item_count: null, scope: { result }, metrics: { rows_in: 0, rows_out: 0, rejected: 0, lane: 'script' } }
  },
}
