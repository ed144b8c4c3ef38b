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

export interface Outcome {
  /** Why it will never take this body, in its own words; null: it has taken it. */
  refused: string | null
}

const mostOfReason = 300

/** Throws where it is worth another try. */
export async function postJson({ url, key, headers, version, signal }: Receiver, body: unknown): Promise<Outcome> {
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
  if (answer.status >= 200 && answer.status < 300) return { refused: null }
  const reason = `The receiver answered ${answer.status}: ${answer.text.slice(0, mostOfReason)}`
  if (answer.status === 400 || answer.status === 413 || answer.status === 422) return { refused: reason }
  throw new Error(reason)
}
