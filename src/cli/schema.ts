import { dashboardSchema } from '../language/dashboard/dashboard-schema.ts'
import { jobSchema } from '../language/job/job-schema.ts'
import { taskSchema } from '../language/task/task-schema.ts'
import { UsageError, exitCodes, type Output } from './output.ts'
import { readCommandLine } from './read-arguments.ts'

const schemas = new Map([
  ['task', taskSchema],
  ['job', jobSchema],
  ['dashboard', dashboardSchema],
])

export async function schema(args: string[], output: Output): Promise<number> {
  const [wanted, ...more] = readCommandLine(args, {}).positionals
  const found = schemas.get(wanted ?? '')
  if (!found || more.length > 0) throw new UsageError('Pass one of `task`, `job`, and `dashboard`')
  output.out(JSON.stringify(found, null, 2))
  return exitCodes.ok
}
