/** The last sections of docs/diagnostics.md and docs/run-errors.md: every text by its code, as the catalogs have them. */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { ai } from '../../src/contract/messages/ai.ts'
import { bundles } from '../../src/contract/messages/bundles.ts'
import { changes } from '../../src/contract/messages/changes.ts'
import { channels } from '../../src/contract/messages/channels.ts'
import { connectors } from '../../src/contract/messages/connectors.ts'
import { dashboards as dashboardMessages } from '../../src/contract/messages/dashboards.ts'
import { fields } from '../../src/contract/messages/fields.ts'
import { jobs as jobMessages } from '../../src/contract/messages/jobs.ts'
import { metrics } from '../../src/contract/messages/metrics.ts'
import { people } from '../../src/contract/messages/people.ts'
import { presets } from '../../src/contract/messages/presets.ts'
import { requests } from '../../src/contract/messages/requests.ts'
import { server } from '../../src/contract/messages/server.ts'
import { settings } from '../../src/contract/messages/settings.ts'
import { tasks as taskMessages } from '../../src/contract/messages/tasks.ts'
import { triggers } from '../../src/contract/messages/triggers.ts'
import { views } from '../../src/contract/messages/views.ts'
import { changes as changeRuns } from '../../src/contract/run-messages/changes.ts'
import { code } from '../../src/contract/run-messages/code.ts'
import { databases } from '../../src/contract/run-messages/databases.ts'
import { ends } from '../../src/contract/run-messages/ends.ts'
import { engine } from '../../src/contract/run-messages/engine.ts'
import { files } from '../../src/contract/run-messages/files.ts'
import { steps } from '../../src/contract/run-messages/steps.ts'
import { stores } from '../../src/contract/run-messages/stores.ts'
import { valueChanges } from '../../src/contract/run-messages/value-changes.ts'
import { warnings } from '../../src/contract/run-messages/warnings.ts'
import { web } from '../../src/contract/run-messages/web.ts'
import { dashboards } from '../../src/language/messages/dashboards.ts'
import { expressions } from '../../src/language/messages/expressions.ts'
import { jobs } from '../../src/language/messages/jobs.ts'
import { labels } from '../../src/language/messages/labels.ts'
import { patterns } from '../../src/language/messages/patterns.ts'
import { pipelines } from '../../src/language/messages/pipelines.ts'
import { sql } from '../../src/language/messages/sql.ts'
import { tasks } from '../../src/language/messages/tasks.ts'
import { values } from '../../src/language/messages/values.ts'
import { words } from '../../src/language/messages/words.ts'
import { yaml } from '../../src/language/messages/yaml.ts'
import { queryTexts } from '../../src/language/query/query-messages.ts'

interface Reasons {
  intro: string
  families: Readonly<Record<string, Readonly<Record<string, string>>>>
}

const pages: Readonly<Record<'diagnostics' | 'run-errors', Reasons>> = {
  diagnostics: {
    intro:
      'The `params` of a diagnostic are the values in its message. `params.reason` is the code of the text, and `params.fix` is the hint as `{code, params, message}`. A value can be such a message as well. Codes are stable; texts can be reworded.',
    families: {
      'The document and its YAML': yaml,
      'Keys, values, and arguments': values,
      Expressions: expressions,
      'Regular expressions': patterns,
      SQL: sql,
      'Tasks and connectors': tasks,
      'Sources, steps, and targets': pipelines,
      'Job templates': jobs,
      'Labels of stages': labels,
      'Dashboard templates': dashboards,
      'Parts of sentences': words,
    },
  },
  'run-errors': {
    intro:
      'In addition to its code, an error has `params`: the values in its message. `params.reason` is the code of the text, and `params.fix` is what to do about it, one message or a list of them as `{code, params, message}`. A value can be such a message as well. A `fix` code ends in `_fix` where it belongs to one reason. Codes are stable; texts can be reworded. `as_told` gives the words of another system.',
    families: {
      'Runs, arguments, and SQL': engine,
      'How runs and job runs end': ends,
      'Databases and connectors': databases,
      'HTTP APIs and OData': web,
      'Folders, S3, and SFTP': stores,
      'File formats and sources': files,
      'Steps and targets': steps,
      'Values that arrive differently': valueChanges,
      Warnings: warnings,
      'Scripts and programs': code,
      'Answers of the server': { ...requests, ...fields, ...server, ...settings, ...people },
      'Tasks, jobs, and triggers': { ...taskMessages, ...jobMessages, ...triggers },
      'Connectors, presets, and channels': { ...connectors, ...presets, ...views, ...channels },
      'Queries and data changes': { ...queryTexts, ...changes, ...changeRuns },
      'AI, and metrics': { ...ai, ...metrics },
      'Dashboards and public links': dashboardMessages,
      'Exports and imports': bundles,
    },
  },
}

const heading = '## Reasons\n'

/** The page with its last section as it should be. */
export function withReasons(page: string, name: keyof typeof pages): string {
  const { intro, families } = pages[name]
  const lists = Object.entries(families).map(
    ([title, texts]) =>
      `**${title}**\n\n${Object.entries(texts)
        .map(([reason, text]) => `- \`${reason}\`: \`\` ${text} \`\`\n`)
        .join('')}`,
  )
  const at = page.indexOf(heading)
  const before = at === -1 ? `${page.trimEnd()}\n\n` : page.slice(0, at)
  return `${before}${heading}\n${[`${intro}\n`, ...lists].join('\n')}`
}

export function updateReasons(root: string): void {
  for (const name of ['diagnostics', 'run-errors'] as const) {
    const path = join(root, `docs/${name}.md`)
    writeFileSync(path, withReasons(readFileSync(path, 'utf8'), name))
  }
}
