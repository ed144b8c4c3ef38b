import type { Message } from '../../contract/messages.ts'
import type { Duplex } from 'node:stream'
import { type ErrorCode, errorCodes } from '../../contract/errors.ts'

const phrases: Partial<Record<ErrorCode, string>> = {
  VALIDATION_ERROR: 'Bad Request',
  REQUEST_TIMEOUT: 'Request Timeout',
  NOT_FOUND: 'Not Found',
  METHOD_NOT_ALLOWED: 'Method Not Allowed',
  RATE_LIMITED: 'Too Many Requests',
  HEADERS_TOO_LARGE: 'Request Header Fields Too Large',
}

/** `headers`: more lines, each with its end. The last answer of a connection, where there is no request that could be answered: the socket is all there is. */
export function answerOnSocket(
  socket: Duplex & { destroySoon?: () => void },
  code: ErrorCode,
  reason?: Message,
  headers = '',
): void {
  if (socket.destroyed || !socket.writable) return void socket.destroy()
  const { status, message } = errorCodes[code]
  const details = reason ? { details: [{ path: 'request', ...reason }] } : {}
  const body = JSON.stringify({ error: code, message, ...details })
  socket.write(
    `HTTP/1.1 ${status} ${phrases[code] ?? ''}\r\nContent-Type: application/json; charset=utf-8\r\nContent-Length: ${Buffer.byteLength(body)}\r\nConnection: close\r\n${headers}\r\n${body}`,
  )
  // Whoever does not read it is not waited for.
  socket.destroySoon?.()
}
