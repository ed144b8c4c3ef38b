import { StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { isJSONRPCRequest } from '@modelcontextprotocol/server'
import { StdioServerTransport } from '@modelcontextprotocol/server/stdio'
import { InputError, UsageError, exitCodes, type Output } from './output.ts'
import { readCommandLine } from './read-arguments.ts'

const KEY = 'SVC_API_KEY'
/** JSON-RPC's first code that is free for servers. */
const FAILED = -32_000

/** `headgate mcp`: passes messages between an agent on standard input and output and the MCP server of a running Headgate. */
export async function mcp(args: string[], output: Output): Promise<number> {
  const { values, positionals } = readCommandLine(args, { url: { type: 'string', default: 'http://127.0.0.1:4717' } })
  if (positionals.length > 0) throw new UsageError(`Unexpected argument \`${positionals.join(' ')}\``)
  const key = process.env[KEY]
  if (!key) throw new InputError(`Set ${KEY} to an API key`)
  if (!URL.canParse(values.url) || !/^https?:$/.test(new URL(values.url).protocol))
    throw new UsageError('--url must be the address of a server, such as http://127.0.0.1:4717')
  const headers = { authorization: `Bearer ${key}` }
  const far = new StreamableHTTPClientTransport(new URL('/api/mcp', values.url), { requestInit: { headers } })
  const near = new StdioServerTransport()
  // The library’s transports have no other way to be listened to.
  // oxlint-disable unicorn/prefer-add-event-listener
  const ended = new Promise<void>((resolve) => {
    near.onclose = resolve
  })
  far.onmessage = (message) => void near.send(message)
  near.onmessage = (message) => {
    far.send(message).catch((error: unknown) => {
      const reason = `Headgate at ${values.url}: ${error instanceof Error ? error.message : String(error)}`
      output.err(reason)
      // A notification has no answer.
      if (!isJSONRPCRequest(message)) return
      void near.send({ jsonrpc: '2.0', id: message.id, error: { code: FAILED, message: reason } })
    })
  }
  // oxlint-enable unicorn/prefer-add-event-listener
  await far.start()
  await near.start()
  await ended
  await far.close()
  return exitCodes.ok
}
