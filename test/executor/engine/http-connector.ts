import type { BoundConnector } from '../../../src/contract/executor-protocol.ts'

let ids = 100_000

/** An HTTP or OData connector at an address of this machine. */
export function webConnector(
  url: string,
  config: Record<string, unknown> = {},
  secrets: Record<string, string> = {},
  type: 'http' | 'odata' = 'http',
): BoundConnector {
  return {
    id: ++ids,
    name: 'api',
    type,
    config: { base_url: url, allow_private: true, timeout_seconds: 20, ...config },
    secrets,
  }
}
