import { createHmac } from 'node:crypto'

/** `t=<unix seconds>,v1=<hex>`: HMAC-SHA-256 of `<t>.<body>` with the signing secret. */
export function signatureOf(secret: string, body: string, at: Date): string {
  const t = Math.floor(at.getTime() / 1000)
  return `t=${t},v1=${createHmac('sha256', secret).update(`${t}.${body}`).digest('hex')}`
}
