/** The Model Context Protocol: agents work with Headgate over tools, with the same keys and rights as scripts. */
import Type from 'typebox'
import { AnyObject } from './common.ts'
import { operation } from './operation.ts'

export const callMcp = operation({
  id: 'callMcp',
  method: 'POST',
  path: '/api/mcp',
  tag: 'AI',
  summary: 'Send a message of the Model Context Protocol (streamable HTTP, without sessions)',
  description:
    'One JSON-RPC message. Needs `mcp.enabled` in the server configuration. Each tool has the rights of the caller; rows are sent only to keys with the scope `rows`. Notifications are answered with 202 and no body.',
  security: 'caller',
  // Each call of a tool is recorded on its own.
  audited: false,
  body: Type.Object(
    {
      jsonrpc: Type.Literal('2.0'),
      id: Type.Optional(Type.Union([Type.String({ maxLength: 200 }), Type.Integer()])),
      method: Type.String({ minLength: 1, maxLength: 200 }),
      params: Type.Optional(AnyObject),
    },
    { additionalProperties: false },
  ),
  responses: { 200: Type.Unknown({ description: 'JSON-RPC 2.0' }) },
  errors: ['VALIDATION_ERROR', 'NOT_FOUND'],
})
