import { isOneExpression } from '../../expressions/template.ts'
import { object, optional, required } from '../../shape/collections.ts'
import { text } from '../../shape/scalars.ts'
import type { Shape } from '../../shape/shape.types.ts'
import { entryOf } from '../../yaml/yaml-tree.ts'
import { commonFields, normalizeBase } from '../common-fields.ts'
import { expectAccess, slotReference } from '../connector-slots.ts'
import { requestFields, requestOf, requestPath, resolveRequest } from '../http-request.ts'
import type { HttpTask } from './task-document.types.ts'
import { defineKind } from './kind.types.ts'
import { msg } from '../../messages.ts'

const response = {
  response: {
    description: 'The server’s response.',
    fields: {
      status: 'Status code, e.g. 200.',
      headers: 'Headers by lowercase name.',
      body: 'The body: parsed if it is JSON, otherwise text.',
    },
  },
} as const

const successText = text({
  description:
    'An expression over `response` that must be true for success. By default, status 200 to 299 is a success; with an expression, any status can be.',
  examples: ['${{ response.status = 200 and response.body.ok }}'],
  template: true,
  maxLength: 4_000,
})

const success: Shape<string> = {
  schema: successText.schema,
  read(node, path, context) {
    const value = successText.read(node, path, { ...context, scope: { ...context.scope, ...response } })
    if (value === undefined) return undefined
    if (isOneExpression(value)) return value
    context.report({
      code: 'invalid_value',
      message: msg('success_not_one_expression'),
      hint: msg('write_success'),
      path,
      at: node.mark,
    })
    return undefined
  },
}

const fields = object(
  {
    connector: required(slotReference(['http'], 'any', msg('kind_named', { kind: 'http' }))),
    path: required(requestPath),
    ...requestFields,
    success: optional(success),
  },
  { noun: msg('named', { name: 'http' }), description: 'One call to an HTTP API.' },
)

const call: Shape<HttpTask['http']> = {
  schema: fields.schema,
  read(node, path, context) {
    const values = fields.read(node, path, context)
    if (!values || node.kind !== 'map') return undefined
    const wanted = values.method === 'GET' ? 'read' : 'write'
    const slot = entryOf(node, 'connector')
    if (
      slot &&
      !expectAccess(
        slot.value,
        values.connector,
        wanted,
        msg('method_named', { method: values.method }),
        `${path}.connector`,
        context,
      )
    )
      return undefined
    return { connector: values.connector, request: requestOf(values), success: values.success ?? null }
  },
}

const shape = object(
  { ...commonFields('http'), http: required(call) },
  { noun: msg('a_task_of_kind', { kind: 'http' }), description: 'A task that makes one call to an HTTP API.' },
)

export const httpKind = defineKind<HttpTask>({
  kind: 'http',
  shape,
  results: response,
  read(root, context) {
    const values = shape.read(root, '', context)
    return values ? { ...normalizeBase(values), kind: 'http', http: values.http } : null
  },
  // `success` is evaluated when the response is there.
  resolve: (task, resolver) => ({
    ...task,
    http: { ...task.http, request: resolveRequest(task.http.request, resolver, 'http') },
  }),
})
