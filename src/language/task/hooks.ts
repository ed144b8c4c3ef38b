import type { ScopeDescription } from '../expressions/references.ts'
import { listOf, object, required, withDefault } from '../shape/collections.ts'
import { reportType } from '../shape/report-value.ts'
import type { Shape } from '../shape/shape.types.ts'
import { defineVariant, oneOf } from '../shape/variants.ts'
import { entryOf, joinPath } from '../yaml/yaml-tree.ts'
import { expectAccess, slotReference } from './connector-slots.ts'
import { requestFields, requestOf, requestPath, resolveRequest } from './http-request.ts'
import type { Resolver } from './resolver.ts'
import { collectBinds, paramsShape, statementsShape, withSlotDialect } from './sql-text.ts'
import type { Hook, Hooks } from './task.types.ts'

const sqlHook = defineVariant({
  key: 'sql',
  noun: 'a hook with `sql`',
  description: 'Statements in a database, in one transaction.',
  fields: {
    connector: required(slotReference(['sqlite', 'postgres', 'mysql', 'duckdb'], 'write', 'a hook with `sql`')),
    sql: required(statementsShape('One statement, or several that are done together or not at all.')),
    params: withDefault(paramsShape, {}, null),
  },
  context: (node, context) => withSlotDialect(entryOf(node, 'connector')?.value, node, context),
  build({ connector, sql, params }, node, path, context): Hook {
    return { kind: 'sql', connector, statements: sql, params: collectBinds(sql, params, node, path, context) }
  },
})

const request = object(
  { path: required(requestPath), ...requestFields },
  { noun: '`http`', description: 'A request. Any status from 200 to 299 is a success.' },
)

const httpHook = defineVariant({
  key: 'http',
  noun: 'a hook with `http`',
  description: 'A request to an HTTP API.',
  fields: {
    connector: required(slotReference(['http'], 'any', 'a hook with `http`')),
    http: required(request),
  },
  build({ connector, http }, node, path, context): Hook | undefined {
    const slot = entryOf(node, 'connector')?.value ?? node
    const access = http.method === 'GET' ? 'read' : 'write'
    const user = `\`method: ${http.method}\``
    if (!expectAccess(slot, connector, access, user, joinPath(path, 'connector'), context)) return undefined
    return { kind: 'http', connector, request: requestOf(http) }
  },
})

const hook = oneOf<Hook>({
  noun: 'hook',
  description: 'Statements, or a request.',
  variants: [sqlHook, httpHook],
})

const errorScope: ScopeDescription = {
  error: {
    description: 'Why the run failed.',
    fields: {
      code: 'Stable code, e.g. `CONSTRAINT_VIOLATED`.',
      message: 'What happened, where.',
      step: 'Key of the step that failed, or null.',
    },
  },
}

const hookList = (description: string): Shape<Hook[]> =>
  listOf(hook, {
    description,
    max: 50,
    examples: [[{ connector: 'db', sql: 'DELETE FROM contacts_staging' }]],
  })

const before = hookList('Before the task begins its work, in order. A failure fails the run.')
const after = hookList(
  'After the work is done and the target is written, in order. `run.item_count` and what else outputs may use is there. A failure fails the run; what is written stays.',
)
const onError = hookList(
  'After each attempt that fails, also in `before` or `after`: `error.code` and `error.message` say which. A failure here is logged. A run that is cancelled or out of time has no time left for these.',
)

const fields = object(
  {
    before: withDefault(before, []),
    after: withDefault(
      inScope(after, (context) => context.outputScope),
      [],
    ),
    on_error: withDefault(
      inScope(onError, (context) => ({ ...context.scope, ...errorScope })),
      [],
    ),
  },
  { noun: '`hooks`', description: 'What is done around the run: statements in a database, or requests.' },
)

/** Hooks are evaluated when their turn comes, so each list knows something else. */
function inScope(
  list: Shape<Hook[]>,
  scope: (context: Parameters<Shape<Hook[]>['read']>[2]) => ScopeDescription,
): Shape<Hook[]> {
  return {
    schema: list.schema,
    read: (node, path, context) => list.read(node, path, { ...context, scope: scope(context) }),
  }
}

export const hooksShape: Shape<Hooks> = {
  schema: fields.schema,
  read: (node, path, context) =>
    node.kind === 'map'
      ? fields.read(node, path, context)
      : reportType(
          node,
          path,
          context,
          'a map',
          'Write `before:`, `after:` or `on_error:` below it, each with a list.',
        ),
}

/** What `${{ }}` may refer to in the hooks after a failure. */
export const onErrorScope = errorScope

/** Evaluates one hook's templates; `path` is like `hooks.after[0]`. */
export function resolveHook(written: Hook, resolver: Resolver, path: string): Hook {
  return written.kind === 'sql'
    ? { ...written, params: resolver.binds(written.params, joinPath(path, 'params')) }
    : { ...written, request: resolveRequest(written.request, resolver, joinPath(path, 'http')) }
}
