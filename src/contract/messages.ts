import { ai } from './messages/ai.ts'
import { bundles } from './messages/bundles.ts'
import { changes } from './messages/changes.ts'
import { channels } from './messages/channels.ts'
import { connectors } from './messages/connectors.ts'
import { dashboards } from './messages/dashboards.ts'
import { fields } from './messages/fields.ts'
import { jobs } from './messages/jobs.ts'
import { metrics } from './messages/metrics.ts'
import { people } from './messages/people.ts'
import { presets } from './messages/presets.ts'
import { requests } from './messages/requests.ts'
import { server } from './messages/server.ts'
import { settings } from './messages/settings.ts'
import { tasks } from './messages/tasks.ts'
import { triggers } from './messages/triggers.ts'
import { messagesOf } from '../language/message.ts'
import { queryTexts } from '../language/query/query-messages.ts'

/** Every message that the interface gives with an error, by its code: lower case, stable, told in English here. A window has them in other languages. */
export const texts = {
  ...requests,
  ...fields,
  ...people,
  ...server,
  ...settings,
  ...connectors,
  ...presets,
  ...ai,
  ...queryTexts,
  ...changes,
  ...channels,
  ...tasks,
  ...jobs,
  ...triggers,
  ...bundles,
  ...metrics,
  ...dashboards,
}
export type MessageCode = keyof typeof texts

export type { Message } from '../language/message.ts'
export const msg = messagesOf(texts)
