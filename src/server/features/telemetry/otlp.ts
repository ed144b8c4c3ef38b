import { headersIn } from '../../platform/config.headers.ts'
import { storeSecret } from '../../platform/meta.store.ts'
import type { Platform } from '../../platform/platform.ts'
import type { ExecutorsService } from '../executors/executors.service.ts'
import { keyValues } from './otlp-values.ts'
import { type Outbox, createOutbox } from './outbox.ts'
import { createPipelineMetrics } from './pipeline-metrics.ts'
import { type Outcome, postJson } from './post-json.ts'
import type { OutboxEntry, TelemetryStore } from './telemetry.store.ts'
import { type Span, type SpanContext, jobRunSpan, runSpans } from './traces.rules.ts'

const metricsEveryMs = 30_000

interface Dependencies {
  telemetry: TelemetryStore
  executors: () => Pick<ExecutorsService, 'summary'>
}

/** Traces and metrics, over OTLP. Traces are kept until they have arrived; metrics are sums, so that a lost one is made up for. */
export function createOtlp(platform: Platform, { telemetry, executors }: Dependencies) {
  const { config, logger, version, draining, ids, store, clock, startedAt, listening } = platform
  const metrics = createPipelineMetrics(startedAt.toISOString())
  let known: string | null = null
  const storeId = () => (known ??= storeSecret(store.sqlite, ids, 'telemetry_id'))

  const scope = { name: 'headgate', version }
  const resource = () => ({
    attributes: keyValues({
      'service.name': 'headgate',
      'service.namespace': config.telemetry.namespace,
      'service.instance.id': storeId().slice(0, 32),
      'service.version': version,
    }),
  })
  async function post(path: string, body: unknown): Promise<Outcome> {
    const { otlpEndpoint: endpoint, otlpKey: key, otlpHeaders } = config.telemetry
    if (endpoint === null) return { refused: null }
    // Checked when they were set.
    const headers = (otlpHeaders === null ? null : headersIn(otlpHeaders)) ?? {}
    const url = `${endpoint.replace(/\/+$/, '')}${path}`
    return postJson({ url, key, headers, version, signal: draining }, body)
  }

  const spansOf = ({ fact }: OutboxEntry): Span[] => {
    const context: SpanContext = { store: storeId(), url: config.publicUrl ?? listening.url ?? '' }
    // Spans are sent when they have ended.
    if (fact.kind === 'job_run_started') return []
    if (fact.kind === 'job_run_ended') return [jobRunSpan(context, fact.run)]
    return runSpans(context, fact.run, telemetry.attempts(fact.run.id), telemetry.steps(fact.run.id))
  }

  /** In halves where they are refused together: one that is wrong, or too many at once, costs no others. */
  async function sendSpans(entries: readonly OutboxEntry[], arrived: (entry: OutboxEntry) => void): Promise<void> {
    const [first] = entries
    const last = entries.at(-1)
    if (!first || !last) return
    const { refused } = await post('/v1/traces', {
      resourceSpans: [{ resource: resource(), scopeSpans: [{ scope, spans: entries.flatMap(spansOf) }] }],
    })
    if (refused !== null && entries.length > 1) {
      const half = Math.ceil(entries.length / 2)
      await sendSpans(entries.slice(0, half), arrived)
      return sendSpans(entries.slice(half), arrived)
    }
    if (refused !== null) {
      const { kind, run } = first.fact
      logger.error(
        { kind, id: run.id, reason: refused },
        'The OpenTelemetry endpoint refused a span; it is not sent again',
      )
    }
    arrived(last)
  }

  const traces: Outbox = createOutbox(platform, {
    sink: 'otlp',
    telemetry,
    enabled: () => config.telemetry.otlpEndpoint !== null,
    send: sendSpans,
  })

  async function sendMetrics(): Promise<void> {
    if (config.telemetry.otlpEndpoint === null || draining.aborted) return
    const { online, busy, lost, slots } = executors().summary()
    const workers = { available: slots > busy ? online : 0, busy: slots > busy ? 0 : online, offline: lost }
    try {
      const now = metrics.at(clock.iso(), telemetry.activePipelines(), workers)
      const { refused } = await post('/v1/metrics', {
        resourceMetrics: [{ resource: resource(), scopeMetrics: [{ scope, metrics: now }] }],
      })
      if (refused !== null) logger.error({ reason: refused }, 'The OpenTelemetry endpoint refused metrics')
    } catch (error) {
      if (!draining.aborted) logger.warn({ err: error }, 'Metrics could not be sent; the next ones contain them')
    }
  }

  let timer: NodeJS.Timeout | undefined
  draining.addEventListener('abort', () => clearInterval(timer), { once: true })
  return {
    traces,
    metrics,
    sendMetrics,
    start(): void {
      timer = setInterval(() => void sendMetrics(), metricsEveryMs)
      timer.unref()
    },
  }
}
