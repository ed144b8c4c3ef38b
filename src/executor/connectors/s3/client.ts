import type * as driver from '@aws-sdk/client-s3'
import type { S3Client } from '@aws-sdk/client-s3'
import type { Upload } from '@aws-sdk/lib-storage'
import type { BoundConnector } from '../../../contract/executor-protocol.ts'
import { EngineError, messageOf } from '../../engine/errors.ts'
import { configOf } from '../config.ts'
import { checkHost, guardedLookup } from '../web/address.ts'
import { runMessage } from '../../../contract/run-messages.ts'

type Sdk = typeof driver

export interface S3 {
  sdk: Sdk
  client: S3Client
  bucket: string
  /** '' or with a slash at its end. */
  prefix: string
  endpoint: URL
}

/** A silent connection is given up after so long. */
const silenceMs = 60_000
const connectMs = 10_000

/** Loaded when first used: a driver that fails to load breaks this connector only. */
async function load<T>(driver: () => Promise<T>): Promise<T> {
  try {
    return await driver()
  } catch (error) {
    throw new EngineError('CONNECTION_FAILED', runMessage('s3_driver_missing', { cause: messageOf(error) }), {
      hint: runMessage('mongodb_driver_missing_fix'),
      cause: error,
    })
  }
}

export async function loadUpload(): Promise<typeof Upload> {
  return (await load(() => import('@aws-sdk/lib-storage'))).Upload
}

/** Keys come from the connector or there are none: neither the environment nor a cloud's metadata service is asked. */
export async function openS3(connector: BoundConnector): Promise<S3> {
  const config = configOf(connector, 's3')
  const region = config.region ?? 'us-east-1'
  const [endpoint, prefix] = [endpointOf(connector), prefixOf(config.prefix ?? '', connector)]
  const sdk: Sdk = await load(() => import('@aws-sdk/client-s3'))
  // A bucket may lie in the local network, but nothing is ever asked of where a cloud gives out its credentials.
  const agent = { keepAlive: true, maxSockets: 32, lookup: guardedLookup(true) }
  const client = new sdk.S3Client({
    region,
    ...(config.endpoint === undefined ? {} : { endpoint: config.endpoint }),
    forcePathStyle: config.path_style ?? false,
    credentials: credentialsOf(connector),
    // Without a key requests go out unsigned, as public buckets take them.
    ...(config.access_key_id ? {} : { signer: { sign: async (request) => request } }),
    maxAttempts: 4,
    // Stores other than Amazon's may not know the checksums that the driver adds of its own accord.
    requestChecksumCalculation: config.endpoint === undefined ? 'WHEN_SUPPORTED' : 'WHEN_REQUIRED',
    responseChecksumValidation: config.endpoint === undefined ? 'WHEN_SUPPORTED' : 'WHEN_REQUIRED',
    followRegionRedirects: true,
    requestHandler: { connectionTimeout: connectMs, socketTimeout: silenceMs, httpAgent: agent, httpsAgent: agent },
  })
  return { sdk, client, bucket: config.bucket, prefix, endpoint }
}

function credentialsOf(connector: BoundConnector): {
  accessKeyId: string
  secretAccessKey: string
  sessionToken?: string
} {
  const { access_key_id: accessKeyId } = configOf(connector, 's3')
  const { secret_access_key: secret, session_token: token } = connector.secrets
  if (!accessKeyId) return { accessKeyId: 'anonymous', secretAccessKey: 'anonymous' }
  if (secret) return { accessKeyId, secretAccessKey: secret, ...(token ? { sessionToken: token } : {}) }
  throw new EngineError('AUTHENTICATION_FAILED', runMessage('secret_key_missing', { connector: connector.name }), {
    hint: runMessage('secret_key_missing_fix'),
  })
}

function prefixOf(prefix: string, connector: BoundConnector): string {
  const names = prefix.split('/').filter((name) => name !== '')
  if (!names.includes('..')) return names.length === 0 ? '' : `${names.join('/')}/`
  throw new EngineError('PATH_OUTSIDE_FOLDER', runMessage('prefix_outside', { connector: connector.name }), {
    hint: runMessage('prefix_outside_fix'),
  })
}

/** Where requests go. */
export function endpointOf(connector: BoundConnector): URL {
  const { endpoint, region, bucket, path_style: inPath } = configOf(connector, 's3')
  const url = new URL(endpoint ?? `https://s3.${region ?? 'us-east-1'}.amazonaws.com`)
  checkHost(url.hostname, true)
  if (!inPath && !/^[\d.]+$|:/.test(url.hostname)) url.hostname = `${bucket}.${url.hostname}`
  return url
}
