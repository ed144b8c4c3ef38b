/** Settings of what is told to other systems. */
import { secretHeaders } from './config.headers.ts'
import { type Setting, folder, secret, webAddress, word } from './config.setting-kinds.ts'

export interface TelemetrySettings {
  'telemetry.namespace': string
  'telemetry.openlineage_url': string | null
  'telemetry.openlineage_key': string | null
  'telemetry.openlineage_folder': string | null
  'telemetry.otlp_endpoint': string | null
  'telemetry.otlp_key': string | null
  'telemetry.otlp_headers': string | null
}

export const telemetrySettings: { readonly [K in keyof TelemetrySettings]: Setting<TelemetrySettings[K]> } = {
  'telemetry.namespace': word(
    {
      env: 'SVC_TELEMETRY_NAMESPACE',
      title: 'Name of this server',
      description: 'Namespace of jobs in OpenLineage, and service.namespace in OpenTelemetry.',
    },
    'headgate',
  ),
  'telemetry.openlineage_url': webAddress({
    env: 'SVC_TELEMETRY_OPENLINEAGE_URL',
    title: 'OpenLineage endpoint',
    description: 'Full address that events are sent to. Without it, none are sent.',
  }),
  'telemetry.openlineage_key': secret({
    env: 'SVC_TELEMETRY_OPENLINEAGE_KEY',
    title: 'OpenLineage key',
    description: 'Sent to the OpenLineage endpoint as a bearer token.',
  }),
  'telemetry.openlineage_folder': folder({
    env: 'SVC_TELEMETRY_OPENLINEAGE_FOLDER',
    title: 'OpenLineage folder',
    description: 'Events are appended to a file per day in this folder. Without it, none are written.',
  }),
  'telemetry.otlp_endpoint': webAddress({
    env: 'SVC_TELEMETRY_OTLP_ENDPOINT',
    title: 'OpenTelemetry endpoint',
    description: 'Base address of an OTLP receiver over HTTP. Without it, no traces or metrics are sent.',
  }),
  'telemetry.otlp_key': secret({
    env: 'SVC_TELEMETRY_OTLP_KEY',
    title: 'OpenTelemetry key',
    description: 'Sent to the OpenTelemetry endpoint as a bearer token.',
  }),
  'telemetry.otlp_headers': secretHeaders({
    env: 'SVC_TELEMETRY_OTLP_HEADERS',
    title: 'OpenTelemetry headers',
    description:
      'Headers sent to the OpenTelemetry endpoint: name=value pairs separated by commas, values percent-encoded.',
  }),
}
