import { asMessage } from '../../../language/message.ts'
import { createDocumentImports } from '../../platform/documents/document-imports.ts'
import type { Platform } from '../../platform/platform.ts'
import type { RecordImports } from '../../platform/record-imports.ts'
import type { ReadingsService } from '../readings/readings.service.ts'
import { jobTemplateKind, valuesOf } from './job-templates.rules.ts'
import { type TemplateValues, createJobTemplatesStore } from './job-templates.store.ts'

/**
 * Bundles carry no pools and no channels, and a task may have been archived after the template was saved: a copy of a store
 * must not lose its templates for that. No job can be made from such a one until they are there.
 */
const notInBundles: ReadonlySet<string> = new Set(['archived_task', 'unknown_pool', 'unknown_channel'])

/** Job templates as bundles bring them. */
export const createJobTemplateImportsService = (
  platform: Pick<Platform, 'store' | 'events' | 'clock'>,
  { readings }: { readings: ReadingsService },
): RecordImports<TemplateValues> => ({
  ...createDocumentImports(platform, jobTemplateKind, createJobTemplatesStore(platform.store)),
  ahead: (yaml, catalogue, signal) => readings.aheadOfBoth('job', yaml, catalogue, signal),
  judge(yaml, archived, catalogue) {
    const parsed = readings.now('job', yaml, archived ? undefined : catalogue)
    const { diagnostics } = parsed
    const errors = diagnostics.filter(({ severity }) => severity === 'error')
    const bearable = errors.every(({ code }) => notInBundles.has(code))
    const job = parsed.job ?? (bearable ? readings.now('job', yaml, undefined).job : null)
    if (!job) return { valid: false, diagnostics }
    const values = valuesOf(job, parsed)
    const missing = errors.map(asMessage)
    return { valid: true, name: values.name, values, diagnostics, ...(missing.length > 0 && { missing }) }
  },
})
