/** Posts JSON to a receiver of telemetry. Redirects are not followed: the key goes where it was meant to go. */
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
  const answer = await fetch(url, {
    method: 'POST',
    redirect: 'manual',
    signal: AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]),
    headers: {
      'content-type': 'application/json',
      'user-agent': `Headgate/${version}`,
      ...(key !== null && { authorization: `Bearer ${key}` }),
      ...headers,
    },
    body: JSON.stringify(body),
  })
  // Read, so that the connection is free for the next one.
  const text = await answer.text()
  if (answer.ok) return 'taken'
  if (answer.status === 400 || answer.status === 413 || answer.status === 422) return 'refused'
  throw new Error(`The receiver answered ${answer.status}: ${text.slice(0, 300)}`)
}
