// What tasks call while server and executor die around them: it lives in the test's own process and remembers every call.
import { type IncomingMessage, type ServerResponse, createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { fateOf, outputOf } from './job-plans.ts'

export interface Call {
  run: number
  attempt: number
  job_run: number
  key: string
  item: number
  seed: number
  given: string
  /** Status of the answer. */
  answered: number
}
export interface CallLedger {
  url: string
  calls: Call[]
  close(): void
}

const nameOf = ({ job_run, key, item }: Omit<Call, 'answered'>) => `${job_run}/${key}/${item}`

export async function startCallLedger(): Promise<CallLedger> {
  const calls: Call[] = []
  const times = new Map<string, number>()

  function answer(call: Omit<Call, 'answered'>, response: ServerResponse): void {
    const time = (times.get(nameOf(call)) ?? 0) + 1
    times.set(nameOf(call), time)
    const fate = fateOf(call.seed, call.key, call.item)
    const status = fate === 'never' ? 422 : fate === 'third' && time < 3 ? 500 : 200
    calls.push({ ...call, answered: status })
    response.writeHead(status, { 'content-type': 'application/json' })
    response.end(JSON.stringify({ n: outputOf(call.seed, call.key, call.item) }))
  }

  const server = createServer((request, response) => {
    textOf(request).then(
      // Written by the task of `callTask`.
      (text) => answer(JSON.parse(text) as Omit<Call, 'answered'>, response),
      // The executor was killed while it spoke: no call.
      () => response.destroy(),
    )
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    // Listening on TCP, so it has a port.
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    calls,
    close() {
      server.close()
      server.closeAllConnections()
    },
  }
}

async function textOf(request: IncomingMessage): Promise<string> {
  let text = ''
  request.setEncoding('utf8')
  for await (const chunk of request) text += String(chunk)
  return text
}
