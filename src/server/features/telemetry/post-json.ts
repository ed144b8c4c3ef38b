import { post } from '../../platform/post.ts'

/** Posts JSON to a receiver of telemetry. */
const timeoutMs = 10_000

export interface Receiver {
  url: string
  key: string | null
  /** Beside the key, which they may replace. */
  headers?: Readonly<Record<string, string>>
  version: string
  signal: AbortSignal
}

/** `refused`: it will never take this body. Throws where it is worth another try. */
export async function postJson(
  { url, key, headers, version, signal }: Receiver,
  body: unknown,
): Promise<'taken' | 'refused'> {
  const answer = await post(
    new URL(url),
    JSON.stringify(body),
    {
      'content-type': 'application/json',
      'user-agent': `Headgate/${version}`,
      ...(key !== null && { authorization: `Bearer ${key}` }),
      ...headers,
    },
    AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]),
  )
  if (answer.status >= 200 && answer.status < 300) return 'taken'
  if (answer.status === 400 || answer.status === 413 || answer.status === 422) return 'refused'
  throw new Error(`The receiver answered ${answer.status}: ${answer.text.slice(0, 300)}`)
}
