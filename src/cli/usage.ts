export type CommandName = 'validate' | 'preview' | 'run' | 'schema' | 'audit'

const commandUsages: Record<CommandName, string> = {
  validate: `headgate validate FILE… [--json]
  Checks tasks and job templates. Each finding comes with its place: FILE:LINE:COLUMN.
  FILE     a task or a job template (kind: job) in YAML; - reads standard input
  --json   [{file, kind, valid, diagnostics: […]}]`,
  preview: `headgate preview FILE [--connectors FILE] [--arg NAME=VALUE]… [--step N] [--limit N] [--json]
  Shows a sample of a task's rows after a step. Reads only: the target is never opened.
  --connectors  what is bound to the task's connector slots, see below
  --arg         an argument of the task; lists and JSON as JSON
  --step        after which step, 0 is the source; by default the last one
  --limit       rows to read, at most 1000; default 20
  --json        every stage up to the step, with columns, rows and rejects`,
  run: `headgate run FILE [--connectors FILE] [--arg NAME=VALUE]… [--state FILE] [--full-refresh] [--rejects FILE] [--json]
  Runs a task here, without a server. The log goes to standard error, the summary and the outputs to standard output.
  --connectors    what is bound to the task's connector slots, see below
  --arg           an argument of the task; lists and JSON as JSON
  --state         where an incremental task keeps how far it has got; made when it is missing
  --full-refresh  reads as if nothing had been read before
  --rejects       writes all rejected rows there, as JSON lines
  --json          {status, item_count, reject_count, outputs, error, steps, metrics, duration_ms}`,
  schema: `headgate schema task | job
  Prints the JSON Schema of tasks or of job templates, for editors.`,
  audit: `headgate audit verify FILE | --data-dir DIR [--head HASH] [--json]
  Whether every record of the audit log is what was written, and none is missing; the exit code is 1 when not.
  FILE        the whole log as GET /api/audit/export answers it; - reads standard input
  --data-dir  looks into the store itself, also while a server uses it
  --head      a hash that was noted earlier: shows records that were cut off at the end since
  --json      {ok, records, first_broken_id, reason, head}`,
}

const connectorsUsage = `The connectors file, by slot; secrets stand in the environment:
  db:
    type: postgres
    config: {host: localhost, database: app, user: ada}
    secrets: {password: {env: APP_PASSWORD}}
  files: {type: file, config: {root: ./data}}      # paths from the file's own folder`

const exitCodesUsage = `Exit codes: 0 done, 1 the run failed or there are errors in a document, 2 wrong usage, 130 interrupted`

const withConnectors: ReadonlySet<CommandName> = new Set(['preview', 'run'])

export function usageOf(command: CommandName): string {
  return [commandUsages[command], ...(withConnectors.has(command) ? [connectorsUsage] : []), exitCodesUsage].join(
    '\n\n',
  )
}

export const usage = [
  ...Object.values(commandUsages),
  connectorsUsage,
  'headgate --help | --version, and COMMAND --help',
  exitCodesUsage,
].join('\n\n')
