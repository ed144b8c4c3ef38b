import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { InputError, UsageError, exitCodes, type Output } from './output.ts'
import { readCommandLine } from './read-arguments.ts'

/** `headgate metrics rebuild`: counts the runs of a data folder anew. */
export async function metrics(args: string[], output: Output): Promise<number> {
  const { values, positionals } = readCommandLine(args, { 'data-dir': { type: 'string' }, json: { type: 'boolean' } })
  const [word, more] = positionals
  if (word !== 'rebuild' || more !== undefined) {
    throw new UsageError('The only metrics command is `headgate metrics rebuild`')
  }
  const folder = values['data-dir']
  if (folder === undefined) throw new UsageError('Pass the data folder with --data-dir DIR')
  if (!existsSync(join(folder, 'headgate.db'))) {
    throw new InputError(`${folder} is not a data folder: it has no headgate.db`)
  }
  // Loaded only here: the native part costs start time.
  const { rebuildMetrics, StartupError } = await import('../server/features/metrics/rebuild-metrics.ts')
  let result
  try {
    result = rebuildMetrics(folder)
  } catch (error) {
    throw error instanceof StartupError ? new InputError(error.message) : error
  }
  output.out(values.json ? JSON.stringify(result) : `Metrics rebuilt from ${result.runs} runs`)
  return exitCodes.ok
}
