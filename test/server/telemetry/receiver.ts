import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { onTestFinished } from 'vitest'

export interface Received {
  path: string
  headers: Record<string, string | string[] | undefined>
  body: Record<string, unknown>
}

/** Takes JSON; `answer` says with which status, by the number of the request from 0 and its body. */
export async function createReceiver(answer: (number: number, body: Received['body']) => number = () => 200) {
  const received: Received[] = []
  let number = 0
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      // Sent by the server that is tested, as objects.
      const body = JSON.parse(Buffer.concat(chunks).toString()) as Record<string, unknown>
      const status = answer(number++, body)
      if (status < 300) received.push({ path: request.url ?? '', headers: request.headers, body })
      response.writeHead(status).end('{}')
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => server.closeAllConnections())
  onTestFinished(() => void server.close())
  // A server over TCP has such an address.
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, received, requests: () => number }
}
