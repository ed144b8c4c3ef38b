import type { Words } from '../../translate.ts'
import { ai } from './ai.ts'
import { bundles } from './bundles.ts'
import { changes } from './changes.ts'
import { channels } from './channels.ts'
import { connectors } from './connectors.ts'
import { dashboards } from './dashboards.ts'
import { fields } from './fields.ts'
import { jobs } from './jobs.ts'
import { people } from './people.ts'
import { metrics } from './metrics.ts'
import { presets } from './presets.ts'
import { queries } from './queries.ts'
import { requests } from './requests.ts'
import { server } from './server.ts'
import { settings } from './settings.ts'
import { tasks } from './tasks.ts'
import { triggers } from './triggers.ts'

/** What the server says with an error, by its code. `test/renderer/i18n/translate.test.ts` names what is missing. */
export const messages: Words = {
  ...requests,
  ...fields,
  ...people,
  ...server,
  ...settings,
  ...connectors,
  ...metrics,
  ...presets,
  ...ai,
  ...queries,
  ...changes,
  ...channels,
  ...tasks,
  ...jobs,
  ...dashboards,
  ...triggers,
  ...bundles,
}
