import { messagesOf } from './message.ts'
import { dashboards } from './messages/dashboards.ts'
import { expressions } from './messages/expressions.ts'
import { jobs } from './messages/jobs.ts'
import { patterns } from './messages/patterns.ts'
import { pipelines } from './messages/pipelines.ts'
import { sql } from './messages/sql.ts'
import { tasks } from './messages/tasks.ts'
import { values } from './messages/values.ts'
import { words } from './messages/words.ts'
import { yaml } from './messages/yaml.ts'

/** Every text of diagnostics, their hints, and the words in them, by its code: lower case, stable, in English here. A window has them in other languages. */
export const texts = {
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

export type MessageCode = keyof typeof texts

export const msg = messagesOf(texts)
