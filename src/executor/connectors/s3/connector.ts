import { lookup } from 'node:dns/promises'
import { connect } from 'node:net'
import { connect as connectTls } from 'node:tls'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { EngineError, messageOf } from '../../engine/errors.ts'
import { runChecks, type Remark } from '../checks.ts'
import { configOf } from '../config.ts'
import type { ConnectorRunner } from '../connector.types.ts'
import { fileResources } from '../stores/resources.ts'
import { endpointOf, openS3, type S3 } from './client.ts'
import { networkError } from '../network-errors.ts'
import { isDenied, isWrongKey, s3CodeOf, s3Error, s3Server } from './errors.ts'
import type { BoundConnector } from '../../../contract/executor-protocol.ts'
import type { CallIo } from '../../worker-protocol.ts'
import { runMessage } from '../../../contract/run-messages.ts'

export const s3Connector: ConnectorRunner = {
  type: 's3',
  async test(connector, io) {
    const secure = !/^http:/i.test(configOf(connector, 's3').endpoint ?? 'https:')
    let endpoint: URL | null = null
    const reached = (work: (url: URL) => Promise<unknown>): Promise<void> => {
      endpoint ??= endpointOf(connector)
      const url = endpoint
      return reach(url, connector, () => work(url))
    }
    let s3: S3 | null = null
    let listed: unknown
    try {
      return await runChecks([
        { name: 'resolve', run: () => reached((url) => lookup(hostOf(url))) },
        { name: 'connect', run: () => reached((url) => knock(url, false)) },
        ...(secure ? [{ name: 'tls', run: () => reached((url) => knock(url, true)) }] : []),
        {
          name: 'authenticate',
          run: async () => {
            s3 = await openS3(connector)
            listed = await list(s3, io)
            if (listed !== null && !isDenied(listed) && s3CodeOf(listed) !== 'NoSuchBucket')
              throw listingError(listed, connector)
            if (listed !== null && isWrongKey(listed)) throw listingError(listed, connector)
          },
        },
        {
          name: 'read_probe',
          run: () => {
            if (listed !== null) throw listingError(listed, connector)
          },
        },
        { name: 'write_probe', run: () => (s3 ? writeProbe(s3, connector, io) : undefined) },
      ])
    } finally {
      ;(s3 as S3 | null)?.client.destroy() // set inside of a check, which TypeScript does not see
    }
  },
  ...fileResources,
}

function listingError(error: unknown, connector: BoundConnector): EngineError {
  return s3Error(error, connector, runMessage('listing_bucket'))
}

/** What went wrong; null: nothing. */
async function list({ sdk, client, bucket, prefix }: S3, io: CallIo): Promise<unknown> {
  try {
    await client.send(new sdk.ListObjectsV2Command({ Bucket: bucket, Prefix: prefix, MaxKeys: 1 }), {
      abortSignal: io.signal,
    })
    return null
  } catch (error) {
    return error
  }
}

/** Keys that only read are right for sources: that is a remark, no failure. */
async function writeProbe(
  { sdk, client, bucket, prefix }: S3,
  connector: BoundConnector,
  io: CallIo,
): Promise<Remark | undefined> {
  const object = { Bucket: bucket, Key: `${prefix}.headgate-probe-${randomBytes(6).toString('hex')}` }
  const send = { abortSignal: io.signal }
  try {
    await client.send(new sdk.PutObjectCommand({ ...object, Body: 'headgate' }), send)
  } catch (error) {
    if (isDenied(error) && !isWrongKey(error))
      return { remark: 'These keys may read but not write: targets need others.' }
    throw s3Error(error, connector, runMessage('writing_test_object'))
  }
  try {
    await client.send(new sdk.DeleteObjectCommand(object), send)
  } catch (error) {
    if (isDenied(error)) return { remark: `These keys may not delete: the test object ${object.Key} stays.` }
    throw s3Error(error, connector, runMessage('deleting_test_object'))
  }
  return undefined
}

/** IPv6 stands in brackets in addresses. */
function hostOf(url: URL): string {
  return url.hostname.replace(/^\[|\]$/g, '')
}

const knockMs = 10_000

/** Opens a connection and closes it. */
async function knock(endpoint: URL, secure: boolean): Promise<void> {
  const host = hostOf(endpoint)
  const port = endpoint.port === '' ? (endpoint.protocol === 'https:' ? 443 : 80) : Number(endpoint.port)
  const socket = secure ? connectTls({ host, port, servername: host }) : connect({ host, port })
  try {
    await once(socket, secure ? 'secureConnect' : 'connect', { signal: AbortSignal.timeout(knockMs) })
  } finally {
    socket.destroy()
  }
}

async function reach(endpoint: URL, connector: BoundConnector, work: () => Promise<unknown>): Promise<void> {
  try {
    await work()
  } catch (error) {
    const unreached = networkError(error, s3Server(connector, endpoint.host))
    if (unreached) throw unreached
    const words = error instanceof Error && error.name === 'AbortError' ? 'no answer' : messageOf(error)
    throw new EngineError('CONNECTION_FAILED', runMessage('bucket_unreached', { host: endpoint.host, text: words }), {
      hint: runMessage('bucket_unreached_fix'),
      cause: error,
    })
  }
}
