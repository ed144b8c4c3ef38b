export type CommandName = 'validate' | 'preview' | 'run' | 'schema' | 'audit' | 'metrics' | 'mcp'

const commandUsages: Record<CommandName, string> = {
  validate: `headgate validate FILE… [--json]
  Validates tasks, job templates, and dashboard templates. Each problem is reported with its location, FILE:LINE:COLUMN.
  FILE     task, job template (kind: job), or dashboard template (kind: dashboard) in YAML; - reads standard input
  --json   prints [{file, kind, valid, diagnostics: […]}]`,
  preview: `headgate preview FILE [--connectors FILE] [--arg NAME=VALUE]… [--step N] [--limit N] [--json]
  Shows sample rows of a task after a step. Read-only: the target is never opened.
  --connectors  file with connectors for the task's slots, see below
  --arg         task argument; write lists and JSON as JSON
  --step        step to show rows of; 0 is the source; default: the last step
  --limit       rows to read, at most 1000; default: 20
  --json        prints all stages up to the step, with columns, rows and rejects`,
  run: `headgate run FILE [--connectors FILE] [--arg NAME=VALUE]… [--state FILE] [--full-refresh] [--rejects FILE] [--json]
  Runs a task locally, without a server. The log goes to standard error; the summary and outputs go to standard output.
  --connectors    file with connectors for the task's slots, see below
  --arg           task argument; write lists and JSON as JSON
  --state         file for the state of an incremental task; created if missing
  --full-refresh  ignores the saved state and reads from the start
  --rejects       file for all rejected rows, as JSON Lines
  --json          prints {status, item_count, reject_count, outputs, error, steps, metrics, duration_ms}`,
  schema: `headgate schema task | job | dashboard
  Prints the JSON Schema of tasks, job templates, or dashboard templates, for use in editors.`,
  audit: `headgate audit verify FILE | --data-dir DIR [--head HASH] [--json]
  Verifies that no record of the audit log was changed or removed. Exits with 1 if verification fails.
  FILE        complete audit log from GET /api/audit/export; - reads standard input
  --data-dir  reads the store in this data folder, even while a server uses it
  --head      hash from an earlier verification; detects records removed from the end since then
  --json      prints {ok, records, first_broken_id, reason, head}`,
  metrics: `headgate metrics rebuild --data-dir DIR [--json]
  Counts the metrics again from the runs of a data folder. Stop its server first. Runs that retention removed stay counted.
  --json      prints {runs}`,
  mcp: `headgate mcp [--url URL]
  Connects an agent that starts local MCP servers to a running Headgate, over standard input and output.
  The API key is read from SVC_API_KEY. The server needs mcp.enabled.
  --url  address of the server; default: http://127.0.0.1:4717`,
}

const connectorsUsage = `Connectors file, by slot. Secrets are read from environment variables:
  db:
    type: postgres
    config: {host: localhost, database: app, user: ada}
    secrets: {password: {env: APP_PASSWORD}}
  files: {type: file, config: {root: ./data}}      # relative to the folder of this file`

const exitCodesUsage = `Exit codes: 0 success, 1 run failed or errors in a document, 2 invalid usage, 130 interrupted`

const withConnectors: ReadonlySet<CommandName> = new Set(['preview', 'run'])

export function usageOf(command: CommandName): string {
  return [commandUsages[command], ...(withConnectors.has(command) ? [connectorsUsage] : []), exitCodesUsage].join(
    '\n\n',
  )
}

export const usage = [
  ...Object.values(commandUsages),
  connectorsUsage,
  'headgate --help | --version, or headgate COMMAND --help',
  exitCodesUsage,
].join('\n\n')
