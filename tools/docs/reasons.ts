/** The last section of docs/diagnostics.md: every text of a diagnostic by its code, as the catalog has them. */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expressions } from '../../src/language/messages/expressions.ts'
import { jobs } from '../../src/language/messages/jobs.ts'
import { patterns } from '../../src/language/messages/patterns.ts'
import { pipelines } from '../../src/language/messages/pipelines.ts'
import { sql } from '../../src/language/messages/sql.ts'
import { tasks } from '../../src/language/messages/tasks.ts'
import { values } from '../../src/language/messages/values.ts'
import { words } from '../../src/language/messages/words.ts'
import { yaml } from '../../src/language/messages/yaml.ts'

const families = {
  'The document and its YAML': yaml,
  'Keys, values, and arguments': values,
  Expressions: expressions,
  'Regular expressions': patterns,
  SQL: sql,
  'Tasks and connectors': tasks,
  'Sources, steps, and targets': pipelines,
  'Job templates': jobs,
  'Parts of sentences': words,
}

const heading = '## Reasons\n'

/** The page with its last section as it should be. */
export function withReasons(page: string): string {
  const lists = Object.entries(families).map(
    ([title, texts]) =>
      `**${title}**\n\n${Object.entries(texts)
        .map(([code, text]) => `- \`${code}\`: \`\` ${text} \`\`\n`)
        .join('')}`,
  )
  const intro =
    'The `params` of a diagnostic are the values in its message. `params.reason` is the code of the text, and `params.fix` is the hint as `{code, params, message}`. A value can be such a message as well. Codes are stable; texts can be reworded.\n'
  return `${page.slice(0, page.indexOf(heading))}${heading}\n${[intro, ...lists].join('\n')}`
}

export function updateReasons(root: string): void {
  const path = join(root, 'docs/diagnostics.md')
  writeFileSync(path, withReasons(readFileSync(path, 'utf8')))
}
