import type { ScopeDescription } from '../expressions/references.ts'
import { listOf, object, required, withDefault } from '../shape/collections.ts'
import { reportType } from '../shape/report-value.ts'
import type { Shape } from '../shape/shape.types.ts'
import { defineVariant, oneOf } from '../shape/variants.ts'
import { entryOf, joinPath } from '../yaml/yaml-tree.ts'
import { expectAccess, slotReference, sqlDatabases } from './connector-slots.ts'
import { requestFields, requestOf, requestPath, resolveRequest } from './http-request.ts'
import type { Resolver } from './resolver.ts'
import { collectBinds, paramsShape, statementsShape, withSlotDialect } from './sql-text.ts'
import type { Hook, Hooks } from './task.types.ts'
import { msg } from '../messages.ts'

const sqlHook = defineVariant({
  key: 'sql',
  noun: msg('a_hook_with', { kind: 'sql' }),
  description: 'Statements in a database, in one transaction.',
  fields: {
    connector: required(slotReference(sqlDatabases, 'write', msg('a_hook_with', { kind: 'sql' }))),
    sql: required(statementsShape('One statement, or several that run in one transaction.')),
    params: withDefault(paramsShape, {}, null),
  },
  context: (node, context) => withSlotDialect(entryOf(node, 'connector')?.value, node, context),
  build({ connector, sql, params }, node, path, context): Hook {
    return { kind: 'sql', connector, statements: sql, params: collectBinds(sql, params, node, path, context) }
  },
})

const request = object(
  { path: required(requestPath), ...requestFields },
  { noun: msg('named', { name: 'http' }), description: 'A request. Status 200 to 299 is a success.' },
)

const httpHook = defineVariant({
  key: 'http',
  noun: msg('a_hook_with', { kind: 'http' }),
  description: 'A request to an HTTP API.',
  fields: {
    connector: required(slotReference(['http'], 'any', msg('a_hook_with', { kind: 'http' }))),
    http: required(request),
  },
  build({ connector, http }, node, path, context): Hook | undefined {
    const slot = entryOf(node, 'connector')?.value ?? node
    const access = http.method === 'GET' ? 'read' : 'write'
    const user = msg('method_named', { method: http.method })
    if (!expectAccess(slot, connector, access, user, joinPath(path, 'connector'), context)) return undefined
    return { kind: 'http', connector, request: requestOf(http) }
  },
})

const hook = oneOf<Hook>({
  noun: msg('hook'),
  description: 'Statements, or a request.',
  variants: [sqlHook, httpHook],
})

const errorScope: ScopeDescription = {
  error: {
    description: 'Why the run failed.',
    fields: {
      code: 'Stable code, e.g. `CONSTRAINT_VIOLATED`.',
      message: 'What happened and where.',
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

const before = hookList('Run in order before the task starts its work. If one fails, the run fails.')
const after = hookList(
  'Run in order after the work is done and the target is written. They can use `run.item_count` and everything else that outputs can use. If one fails, the run fails, but written rows stay.',
)
const onError = hookList(
  'Run after each failed attempt, also if `before` or `after` failed. `error.code` and `error.message` contain the reason. A failure here is logged. Not run if the run is canceled or times out.',
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
  { noun: msg('named', { name: 'hooks' }), description: 'Database statements or requests before and after the run.' },
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
      : reportType(node, path, context, msg('a_map'), msg('write_hooks')),
}

/** What `${{ }}` may refer to in the hooks after a failure. */
export const onErrorScope = errorScope

/** Evaluates one hook's templates; `path` is like `hooks.after[0]`. */
export function resolveHook(written: Hook, resolver: Resolver, path: string): Hook {
  return written.kind === 'sql'
    ? { ...written, params: resolver.binds(written.params, joinPath(path, 'params')) }
    : { ...written, request: resolveRequest(written.request, resolver, joinPath(path, 'http')) }
}
