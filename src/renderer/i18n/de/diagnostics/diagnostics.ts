import type { texts } from '../../../../language/messages.ts'
import { dashboards } from './dashboards.ts'
import { expressions } from './expressions.ts'
import { jobs } from './jobs.ts'
import { patterns } from './patterns.ts'
import { pipelines } from './pipelines.ts'
import { sql } from './sql.ts'
import { tasks } from './tasks.ts'
import { values } from './values.ts'
import { words } from './words.ts'
import { yaml } from './yaml.ts'

/** Diagnostics of tasks and job templates, by the code of their text. */
export const diagnostics: Record<keyof typeof texts, string> = {
  ...words,
  ...yaml,
  ...values,
  ...expressions,
  ...patterns,
  ...sql,
  ...tasks,
  ...pipelines,
  ...jobs,
  ...dashboards,
}
