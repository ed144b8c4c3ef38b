/** The Model Context Protocol: agents work with Headgate over tools, with the same keys and rights as scripts. */
import Type from 'typebox'
import { operation } from './operation.ts'

export const callMcp = operation({
  id: 'callMcp',
  method: 'POST',
  path: '/api/mcp',
  tag: 'AI',
  summary: 'Send a message of the Model Context Protocol (streamable HTTP, without sessions)',
  description:
    'A JSON-RPC message, or a list of them. Needs an API key, and `mcp.enabled` in the server configuration. Each tool has the rights of its key; rows are sent only to keys with the scope `rows`. Notifications are answered with 202 and no body.',
  security: 'caller',
  // Each call of a tool is recorded on its own.
  audited: false,
  body: Type.Unknown({ description: 'JSON-RPC 2.0' }),
  responses: { 200: Type.Unknown({ description: 'JSON-RPC 2.0' }) },
  errors: [],
})
