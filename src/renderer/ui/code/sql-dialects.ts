import { MySQL, PostgreSQL, SQLDialect, SQLite } from '@codemirror/lang-sql'

/** DuckDB writes SQL as PostgreSQL does, and some more. */
const DuckDB = SQLDialect.define({
  ...PostgreSQL.spec,
  keywords: `${PostgreSQL.spec.keywords ?? ''} anti asof describe exclude pivot positional qualify replace sample semi summarize try_cast unpivot`,
})

export const sqlDialects = { postgres: PostgreSQL, mysql: MySQL, sqlite: SQLite, duckdb: DuckDB } as const
