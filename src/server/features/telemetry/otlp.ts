import { headersIn } from '../../platform/config.headers.ts'
import { storeSecret } from '../../platform/meta.store.ts'
import type { Platform } from '../../platform/platform.ts'
import type { ExecutorsService } from '../executors/executors.service.ts'
import { keyValues } from './otlp-values.ts'
import { type Outbox, createOutbox } from './outbox.ts'
import { createPipelineMetrics } from './pipeline-metrics.ts'
import { postJson } from './post-json.ts'
import type { TelemetryStore } from './telemetry.store.ts'
import { type Span, jobRunSpan, runSpans } from './traces.rules.ts'

const metricsEveryMs = 30_000

interface Dependencies {
  telemetry: TelemetryStore
  executors: () => Pick<ExecutorsService, 'summary'>
}

/** Traces and metrics, over OTLP. Traces are kept until they have arrived; metrics are sums, so that a lost one is made up for. */
export function createOtlp(platform: Platform, { telemetry, executors }: Dependencies) {
  const { config, logger, version, draining, ids, store, clock, startedAt } = platform
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
  async function post(path: string, body: unknown): Promise<void> {
    const { otlpEndpoint: endpoint, otlpKey: key, otlpHeaders } = config.telemetry
    if (endpoint === null) return
    // Checked when they were set.
    const headers = (otlpHeaders === null ? null : headersIn(otlpHeaders)) ?? {}
    const url = `${endpoint.replace(/\/+$/, '')}${path}`
    if ((await postJson({ url, key, headers, version, signal: draining }, body)) === 'refused') {
      logger.error({ url }, 'The OpenTelemetry endpoint refused what it was sent; it is not sent again')
    }
  }

  const spansOf = ({ fact }: ReturnType<TelemetryStore['next']>[number]): Span[] => {
    // Spans are sent when they have ended.
    if (fact.kind === 'job_run_started') return []
    if (fact.kind === 'job_run_ended') return [jobRunSpan(storeId(), fact.run)]
    return runSpans(storeId(), fact.run, telemetry.attempts(fact.run.id), telemetry.steps(fact.run.id))
  }
  const traces: Outbox = createOutbox(platform, {
    sink: 'otlp',
    telemetry,
    enabled: () => config.telemetry.otlpEndpoint !== null,
    send: (entries) =>
      post('/v1/traces', {
        resourceSpans: [{ resource: resource(), scopeSpans: [{ scope, spans: entries.flatMap(spansOf) }] }],
      }),
  })

  async function sendMetrics(): Promise<void> {
    if (config.telemetry.otlpEndpoint === null || draining.aborted) return
    const { online, busy, lost, slots } = executors().summary()
    const workers = { available: slots > busy ? online : 0, busy: slots > busy ? 0 : online, offline: lost }
    try {
      const now = metrics.at(clock.iso(), telemetry.activePipelines(), workers)
      await post('/v1/metrics', {
        resourceMetrics: [{ resource: resource(), scopeMetrics: [{ scope, metrics: now }] }],
      })
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
