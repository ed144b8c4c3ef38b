import { object, optional, required } from '../../shape/collections.ts'
import type { ReadContext } from '../../shape/shape.types.ts'
import { scanSql } from '../../sql/scan-sql.ts'
import { entryOf, type YamlNode } from '../../yaml/yaml-tree.ts'
import { defineStep } from '../definitions.ts'
import { collectBinds, duckdbQueryWords, paramsShape, sqlText, withParams } from '../sql-text.ts'
import type { SqlStep } from './step.types.ts'
import { msg } from '../../messages.ts'

const query = sqlText({
  description: 'One `SELECT` (DuckDB) over `stream`, the rows that enter the step. `:name` binds an argument.',
  examples: ['SELECT country, sum(total) AS total FROM stream GROUP BY country'],
  form: duckdbQueryWords,
  ofPipeline: true,
})
const long = object(
  { query: required(query), params: optional(paramsShape) },
  { noun: msg('named', { name: 'sql' }), description: 'A query over `stream`.' },
)

export const sqlStep = defineStep<SqlStep>({
  kind: 'sql',
  shape: {
    schema: {
      description: query.schema.description,
      examples: query.schema.examples,
      anyOf: [query.schema, long.schema],
    },
    read(node, path, outer) {
      if (node.kind !== 'map') {
        const text = query.read(node, path, outer)
        if (text === undefined) return undefined
        warnWithoutStream(node, text, path, outer)
        return { kind: 'sql', query: text, params: collectBinds([text], undefined, null, path, outer) }
      }
      const context = withParams(node, outer)
      const values = long.read(node, path, context)
      if (!values) return undefined
      warnWithoutStream(entryOf(node, 'query')?.value ?? node, values.query, `${path}.query`, context)
      return {
        kind: 'sql',
        query: values.query,
        params: collectBinds([values.query], values.params, node, path, context),
      }
    },
  },
  // What the query gives only the database can say.
  flow: () => null,
  resolve: (step, resolver, path) => ({ ...step, params: resolver.binds(step.params, `${path}.sql.params`) }),
})

function warnWithoutStream(node: YamlNode, sql: string, path: string, context: ReadContext): void {
  const reads = scanSql(sql, 'duckdb').some(
    (token) =>
      (token.kind === 'word' || token.kind === 'quoted') && /^"?stream"?$/i.test(sql.slice(token.start, token.end)),
  )
  if (reads) return
  context.report({
    code: 'sql_stream_unused',
    message: msg('sql_stream_unused'),
    hint: msg('select_from_stream'),
    path,
    at: node.mark,
  })
}
