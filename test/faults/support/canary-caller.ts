import type { Aviary } from './canary.ts'

export interface Reply<T = Record<string, unknown>> {
  status: number
  headers: Headers
  body: T
}
interface Asking {
  body?: unknown
  headers?: Record<string, string>
  /** Names of the canaries that the answer is there to show. */
  shows?: string[]
}

/** A caller whose every answer is seen. */
export function callerOf(aviary: Aviary, url: string, credentials: Record<string, string>) {
  return async <T = Record<string, unknown>>(method: string, path: string, asking: Asking = {}): Promise<Reply<T>> => {
    const { body, headers, shows = [] } = asking
    const type: Record<string, string> = body === undefined ? {} : { 'content-type': 'application/json' }
    const response = await fetch(new URL(path, url), {
      method,
      headers: { origin: url, ...type, ...credentials, ...headers },
      body: body === undefined ? undefined : typeof body === 'string' ? body : JSON.stringify(body),
    })
    const bytes = Buffer.from(await response.arrayBuffer())
    const head = [...response.headers].map((pair) => pair.join(': ')).join('\n')
    const where = `${method} ${path.split('/').slice(0, 4).join('/')} (${response.status})`
    aviary.saw(`head of ${where}`, head, new Set(shows))
    aviary.saw(`answer of ${where}`, bytes, new Set(shows))
    const isJson = response.headers.get('content-type')?.startsWith('application/json')
    // Answers are looked at by tests of their own.
    return {
      status: response.status,
      headers: response.headers,
      body: (isJson ? JSON.parse(bytes.toString()) : {}) as T,
    }
  }
}
export type Ask = ReturnType<typeof callerOf>

export const cookieOf = ({ headers }: Pick<Reply, 'headers'>) =>
  headers
    .getSetCookie()
    .map((one) => one.split(';', 1)[0]!)
    .join('; ')

/** The answer, which must have this status. */
export function answered<T>(reply: Reply<T>, status: number): T {
  if (reply.status !== status) throw new Error(`${reply.status} rather than ${status}: ${JSON.stringify(reply.body)}`)
  return reply.body
}
