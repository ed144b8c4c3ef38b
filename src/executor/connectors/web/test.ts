import type { BoundConnector } from '../../../contract/executor-protocol.ts'
import type { ConnectorTestResult } from '../../../contract/connectors.ts'
import type { CallIo } from '../../worker-protocol.ts'
import { runChecks } from '../checks.ts'
import { refusal } from '../http/request.ts'
import { createWebClient, type WebClient, type WebRequest, type WebResponse } from './client.ts'
import { baseOf, webConfigOf } from './config.ts'
import { webError } from './errors.ts'
import { reachHost, resolveHost, shakeHands } from './reach.ts'

/** What is read to see whether reading works. */
export interface Probe {
  request(client: WebClient): WebRequest
  /** Throws where the answer is not what it should be. */
  check(response: WebResponse, client: WebClient): Promise<unknown>
}

/** Stage by stage, from the name of the host to an answer. */
export async function testWeb(connector: BoundConnector, io: CallIo, probe: Probe): Promise<ConnectorTestResult> {
  const translateErrors =
    (work: (base: URL, allowPrivate: boolean) => Promise<void>): (() => Promise<void>) =>
    async () => {
      const base = baseOf(connector)
      try {
        await work(base, webConfigOf(connector).allow_private === true)
      } catch (error) {
        throw webError(error, connector.name, base.origin)
      }
    }
  const secure = connector.config['base_url']?.toString().startsWith('https:') === true
  // What somebody waits for is tried once.
  return withTestClient(connector, io, (client) => {
    let answer: WebResponse | null = null
    return runChecks([
      { name: 'resolve', run: translateErrors((base, allowPrivate) => resolveHost(base, allowPrivate)) },
      { name: 'connect', run: translateErrors((base, allowPrivate) => reachHost(base, allowPrivate, io.signal)) },
      ...(secure
        ? [{ name: 'tls', run: translateErrors((base, allowPrivate) => shakeHands(base, allowPrivate, io.signal)) }]
        : []),
      {
        name: 'authenticate',
        async run() {
          const open = await client()
          await open.signIn()
          answer = await open.request(probe.request(open))
          if (answer.status === 401 || answer.status === 403) throw refusal(answer, connector, open)
        },
      },
      {
        name: 'read_probe',
        async run() {
          if (answer) await probe.check(answer, await client())
        },
      },
    ])
  })
}

/** The client is made inside the checks: a connector that is set up wrongly fails a stage, not the test. */
async function withTestClient(
  connector: BoundConnector,
  io: CallIo,
  work: (client: () => Promise<WebClient>) => Promise<ConnectorTestResult>,
): Promise<ConnectorTestResult> {
  let opened: WebClient | null = null
  try {
    return await work(async () => (opened ??= await createWebClient(connector, { signal: io.signal, tries: 1 })))
  } finally {
    await (opened as WebClient | null)?.close() // set by `work`
  }
}
