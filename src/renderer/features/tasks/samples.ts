/** Tasks to start from. Each is whole and runs as soon as its connectors exist; comments teach what is not obvious. */
export interface Sample {
  id: 'csvToSqlite' | 'sqliteToParquet' | 'upsert' | 'expectations' | 'inline'
  yaml: string
}

const csvToSqlite = `etl: 1
kind: pipeline
name: weather.daily
description: Daily weather from CSV files into a table
connectors:                 # slots: bound to connectors when a run starts
  files: {type: file, access: read}
  db: {types: [sqlite, postgres], access: write}
source:
  connector: files
  files:
    glob: "weather/*.csv"   # relative to the connector's folder
    union_by_name: true     # files may differ in columns
steps:
  - cast: {date: date, precipitation: number, temp_max: number, temp_min: number}
  - filter: precipitation IS NOT NULL
  - derive:
      temp_range: temp_max - temp_min
      wet: precipitation > 0
  - select: [date, location, weather, precipitation, temp_min, temp_max, temp_range, wet]
target:
  connector: db
  table: weather_daily
  mode: replace             # staged beside the table, then swapped in at once
`

const sqliteToParquet = `etl: 1
kind: pipeline
name: sales.monthly
description: Monthly totals as one Parquet file
connectors:
  db: {types: [sqlite, postgres], access: read}
  files: {type: file, access: write}
args:
  since: {type: date, default: "2024-01-01", description: First day that counts}
source:
  connector: db
  sql:
    query: |
      SELECT day, region, total FROM sales WHERE day >= :since
    params: {since: "\${{ args.since }}"}   # values are bound, never spliced into SQL
steps:
  - sql: |
      SELECT date_trunc('month', CAST(day AS DATE)) AS month, region,
             sum(total) AS total, count(*) AS orders
      FROM stream
      GROUP BY ALL
      ORDER BY month, region
target:
  connector: files
  file: {path: "exports/sales_monthly.parquet", format: parquet, compression: zstd}
`

const upsert = `etl: 1
kind: pipeline
name: crm.contacts
description: Keeps a table of contacts up to date; a second run changes nothing
connectors:
  files: {type: file, access: read}
  db: {types: [sqlite, postgres], access: write}
source:
  connector: files
  files: {glob: "contacts/*.jsonl"}
steps:
  - rename: {mail: email}
  - derive:
      email: lower(trim(email))
  - cast: {id: integer, updated_at: datetime}
target:
  connector: db
  table: contacts
  mode: upsert              # updates rows with the same key, inserts the others
  key: [id]
retries: {max: 3, delay: 10s, backoff: 2}
timeout: 10m
`

const expectations = `etl: 1
kind: pipeline
name: movies.checked
description: Only rows that can be trusted reach the table; the others are kept with their reason
connectors:
  files: {type: file, access: read}
  db: {types: [sqlite, postgres], access: write}
source:
  connector: files
  files: {glob: "movies.json"}
steps:
  - cast:
      columns: {rating: number}
      on_error: quarantine  # what cannot be cast goes to the rejects
  - expect:
      - {name: title_given, not_null: [title], on_fail: quarantine}
      - {name: rating_in_range, check: "rating BETWEEN 0 AND 10", on_fail: quarantine}
      - {name: enough_rows, rows: {min: 100}, on_fail: warn}
target:
  connector: db
  table: movies
  mode: replace
dead_letter: {max_ratio: 0.5}   # more rejects than this fail the run before anything is written
outputs: {rows: "\${{ run.item_count }}"}
`

const inline = `etl: 1
kind: pipeline
name: try.inline
description: Rows that stand in the text, to try steps out
connectors:
  db: {types: [sqlite, postgres], access: write}
source:
  inline:
    rows:
      - {id: 1, name: Ada, born: "1815-12-10"}
      - {id: 2, name: Grace, born: "1906-12-09"}
      - {id: 3, name: Edsger, born: "1930-05-11"}
steps:
  - cast: {born: date}
  - derive:
      decade: (year(born) // 10) * 10
  - filter: decade >= 1900
target:
  connector: db
  table: people
  mode: replace
`

export const samples: readonly Sample[] = [
  { id: 'csvToSqlite', yaml: csvToSqlite },
  { id: 'sqliteToParquet', yaml: sqliteToParquet },
  { id: 'upsert', yaml: upsert },
  { id: 'expectations', yaml: expectations },
  { id: 'inline', yaml: inline },
]
