import { Transform, pipeline, type Duplex, type Readable } from 'node:stream'
import { createBrotliDecompress, createGunzip, createInflate, createZstdDecompress } from 'node:zlib'
import { EngineError, codeOf } from '../../engine/errors.ts'
import { runMessage } from '../../../contract/run-messages.ts'

/** What one answer may hold, packed and unpacked: an answer is held in memory as a whole. */
export const longestBody = 64 * 1024 * 1024

/** Reads an answer to its end and unpacks it; both within `longestBody`. */
export async function readBody(body: Readable, encoding: string, what: string): Promise<Buffer> {
  const decoders = encoding
    .toLowerCase()
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '' && part !== 'identity')
    .toReversed()
  if (decoders.length > 3) throw unknownEncoding(encoding, what)
  let packed = 0
  const limit = limited(what, (part) => (packed += part))
  const streams = [limit, ...decoders.map((name) => decoder(name, what))]
  const parts: Buffer[] = []
  let size = 0
  try {
    // An error anywhere destroys the last stream with it, which is where it is heard.
    const unpacked = pipeline([body, ...streams], () => undefined) as Duplex // the last of them
    for await (const part of unpacked as AsyncIterable<Buffer>) {
      size += part.length
      if (size > longestBody) throw tooLong(what)
      parts.push(part)
    }
  } catch (error) {
    body.destroy()
    // Some servers say how nothing is packed.
    if (packed === 0 && body.readableEnded && isDamage(error)) return Buffer.alloc(0)
    if (isDamage(error)) {
      throw new EngineError('RESPONSE_INVALID', runMessage('answer_not_unpacked', { what, encoding }), {
        hint: runMessage('answer_not_unpacked_fix'),
        cause: error,
      })
    }
    throw error
  }
  return Buffer.concat(parts, size)
}

function isDamage(error: unknown): boolean {
  return /^(Z_|ERR__|ZSTD|ERR_TRAILING_JUNK)/.test(codeOf(error) ?? '')
}

function limited(what: string, count: (bytes: number) => void): Transform {
  let size = 0
  return new Transform({
    transform(part: Buffer, _encoding, done) {
      size += part.length
      count(part.length)
      done(size > longestBody ? tooLong(what) : null, part)
    },
  })
}

/** Of these the decoders stop at the first end, and what follows could be the rest of the answer. Gzip is read to its last part. */
const whole = { rejectGarbageAfterEnd: true }

function decoder(name: string, what: string): Duplex {
  switch (name) {
    case 'gzip':
    case 'x-gzip':
      return createGunzip()
    case 'br':
      return createBrotliDecompress(whole)
    case 'zstd':
      return createZstdDecompress(whole)
    case 'deflate':
      return createInflate(whole)
    default:
      throw unknownEncoding(name, what)
  }
}

function unknownEncoding(encoding: string, what: string): EngineError {
  return new EngineError(
    'RESPONSE_INVALID',
    runMessage('encoding_unknown', { what, encoding: encoding.slice(0, 100) }),
    {
      hint: runMessage('encoding_unknown_fix'),
    },
  )
}

function tooLong(what: string): EngineError {
  return new EngineError(
    'RESPONSE_INVALID',
    runMessage('answer_too_large', { what, most: longestBody / 1024 / 1024 }),
    {
      hint: runMessage('answer_too_large_fix'),
    },
  )
}

/** The body as text, in the character set that the answer names, else UTF-8. */
export function textOf(bytes: Buffer, contentType: string, what: string): string {
  const charset = /charset\s*=\s*"?([^\s";]+)/i.exec(contentType)?.[1] ?? 'utf-8'
  try {
    return new TextDecoder(charset, { fatal: true }).decode(bytes)
  } catch (error) {
    throw new EngineError('RESPONSE_INVALID', runMessage('answer_not_text', { what, charset: charset.slice(0, 50) }), {
      hint: runMessage('answer_not_text_fix'),
      cause: error,
    })
  }
}
