import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { readFile, stat } from 'node:fs/promises'
import { extname, join, normalize, sep } from 'node:path'
import { promisify } from 'node:util'
import { type BrotliOptions, brotliCompress, constants, gzip } from 'node:zlib'
import { answerUnknownPath } from './http-paths.ts'
import { codeOf } from './data-folder.ts'

const types: Record<string, string> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.mjs': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.map': 'application/json; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.txt': 'text/plain; charset=utf-8',
  '.webmanifest': 'application/manifest+json',
  '.wasm': 'application/wasm',
  '.png': 'image/png',
  '.jpg': 'image/jpeg',
  '.ico': 'image/x-icon',
  '.woff2': 'font/woff2',
}
const compressible = new Set(['.html', '.js', '.mjs', '.css', '.json', '.map', '.svg', '.txt', '.webmanifest', '.wasm'])
const MIN_COMPRESSED_BYTES = 1_024

type Encoding = 'br' | 'gzip' | 'identity'

interface StaticFile {
  type: string
  modified: number
  etag: string
  plain: Buffer
  /** Made when first asked for: all of them at start would cost seconds. */
  encoded: Map<Encoding, Promise<Buffer>>
}

/** Says in the headers who may show the page of a public link. */
export type PublicPage = (token: string, reply: FastifyReply) => void

/**
 * Serves the built window from `root`: files as they are, `index.html` for every other path outside `/api`, whose pages
 * are the window's own. Files under `assets/` have their content's hash in the name and are cached for good.
 */
export function serveWindow(app: FastifyInstance, root: string, publicPage: PublicPage = () => {}): void {
  const cache = new Map<string, StaticFile>()

  async function load(path: string): Promise<StaticFile | undefined> {
    const file = join(root, normalize(`/${path}`))
    if (!file.startsWith(root + sep)) return undefined
    try {
      const { mtimeMs, size } = await stat(file)
      const known = cache.get(file)
      if (known?.modified === mtimeMs) return known
      const loaded: StaticFile = {
        type: types[extname(file)] ?? 'application/octet-stream',
        modified: mtimeMs,
        etag: `"${size.toString(36)}-${Math.floor(mtimeMs).toString(36)}"`,
        plain: await readFile(file),
        encoded: new Map(),
      }
      cache.set(file, loaded)
      return loaded
    } catch (error) {
      if (['ENOENT', 'ENOTDIR', 'EISDIR', 'ENAMETOOLONG', 'ERR_INVALID_ARG_VALUE'].includes(codeOf(error)))
        return undefined
      throw error
    }
  }

  app.get<{ Params: { token: string } }>(
    '/public/dashboards/:token',
    { exposeHeadRoute: true },
    async (request, reply) => {
      publicPage(request.params.token, reply)
      // It says nothing itself: whether the token works, its requests find out.
      const page = await load('/public.html')
      return page ? send(request, reply, page, false, 'no-store') : unbuilt(reply)
    },
  )
  app.get('/*', { exposeHeadRoute: true }, async (request, reply) => {
    const path = decodePath(request)
    if (path === undefined || path === '/api' || path.startsWith('/api/')) return answerUnknownPath(request, reply)
    const file = path === '/' ? undefined : await load(path)
    if (file) return send(request, reply, file, path.startsWith('/assets/'))
    // A missing file must not look like a page: the browser would take HTML for a script.
    if (path.startsWith('/assets/') || extname(path) !== '') return answerUnknownPath(request, reply)
    const index = await load('/index.html')
    if (index) return send(request, reply, index, false)
    return unbuilt(reply)
  })
}

const unbuilt = (reply: FastifyReply) =>
  reply
    .status(503)
    .type('text/plain; charset=utf-8')
    .send('The window has not been built: run `npm run build`. The REST interface is at /api.\n')

function decodePath(request: FastifyRequest): string | undefined {
  try {
    return decodeURIComponent(request.url.split('?', 1)[0] ?? '/')
  } catch {
    // Not a path at all.
    return undefined
  }
}

async function send(
  request: FastifyRequest,
  reply: FastifyReply,
  file: StaticFile,
  immutable: boolean,
  control = immutable ? 'public, max-age=31536000, immutable' : 'no-cache',
) {
  reply.header('cache-control', control).header('etag', file.etag).header('vary', 'accept-encoding').type(file.type)
  if (request.headers['if-none-match'] === file.etag) return reply.status(304).send()
  const encoding = encodingFor(request, file)
  if (encoding !== 'identity') reply.header('content-encoding', encoding)
  return reply.send(await encode(file, encoding))
}

function encodingFor(request: FastifyRequest, file: StaticFile): Encoding {
  const worthwhile = file.plain.length >= MIN_COMPRESSED_BYTES
  const accepted = request.headers['accept-encoding'] ?? ''
  const extension = Object.entries(types).find(([, type]) => type === file.type)?.[0] ?? ''
  if (!worthwhile || !compressible.has(extension)) return 'identity'
  if (/\bbr\b/.test(accepted)) return 'br'
  return /\bgzip\b/.test(accepted) ? 'gzip' : 'identity'
}

const brotli: (data: Buffer, options: BrotliOptions) => Promise<Buffer> = promisify(brotliCompress)
const gzipped: (data: Buffer) => Promise<Buffer> = promisify(gzip)
// Quality 5 is near the best size at a tenth of the time.
const quality = { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } }

function encode(file: StaticFile, encoding: Encoding): Promise<Buffer> {
  if (encoding === 'identity') return Promise.resolve(file.plain)
  let encoded = file.encoded.get(encoding)
  if (!encoded) {
    encoded = encoding === 'br' ? brotli(file.plain, quality) : gzipped(file.plain)
    file.encoded.set(encoding, encoded)
  }
  return encoded
}
