import type { FastifyInstance } from 'fastify'

const PREFIX = '/api/docs'

/**
 * `GET /api/openapi.json` and the browsable reference below `/api/docs`, both public. They are no operations of the
 * interface but its description; the app behind them is made when first asked for.
 */
export function registerDocsRoutes(app: FastifyInstance): void {
  let reference: Promise<FastifyInstance> | undefined
  let text: string | undefined

  async function start(): Promise<FastifyInstance> {
    const { createReferenceApp } = await import('./openapi.ts')
    const { default: swaggerUi } = await import('@fastify/swagger-ui')
    const made = await createReferenceApp()
    await made.register(swaggerUi, {
      routePrefix: PREFIX,
      uiConfig: { docExpansion: 'none', deepLinking: true, tryItOutEnabled: true, validatorUrl: null },
      theme: { title: 'Headgate – REST interface' },
    })
    await made.ready()
    return made
  }
  const started = () => (reference ??= start())

  app.get('/api/openapi.json', async (_request, reply) => {
    text ??= JSON.stringify((await started()).swagger())
    return reply.header('content-type', 'application/json; charset=utf-8').send(text)
  })
  for (const url of [PREFIX, `${PREFIX}/*`]) {
    app.get(url, async (request, reply) => {
      const made = await started()
      reply.hijack()
      made.routing(request.raw, reply.raw)
    })
  }
  app.addHook('onClose', async () => {
    if (reference) await (await reference).close()
  })
}
