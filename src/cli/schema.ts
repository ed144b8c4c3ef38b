import { taskSchema } from '../language/task/task-schema.ts'
import { UsageError, exitCodes, type Output } from './output.ts'
import { readCommandLine } from './read-arguments.ts'

export async function schema(args: string[], output: Output): Promise<number> {
  const [wanted, ...more] = readCommandLine(args, {}).positionals
  if (wanted !== 'task' || more.length > 0) throw new UsageError('Only the schema of `task` can be printed')
  output.out(JSON.stringify(taskSchema, null, 2))
  return exitCodes.ok
}
