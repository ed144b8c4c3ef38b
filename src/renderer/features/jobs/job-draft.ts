/** The form of a job. Pure. */
import type { JobDetail } from '../../../contract/jobs.ts'
import { following } from '../../api/followed-draft.rules.ts'
import { type Fields, fieldsOf } from '../tasks/argument-fields.ts'

export interface JobDraft {
  name: string
  description: string
  mapping: Record<string, number>
  fields: Fields
}

function draftOf(job: JobDetail): JobDraft {
  return {
    name: job.name,
    description: job.description ?? '',
    // The server wrote both from objects.
    mapping: JSON.parse(job.connector_mapping) as Record<string, number>,
    fields: fieldsOf(JSON.parse(job.parameters) as Record<string, unknown>),
  }
}

const filled = (fields: Fields) => Object.entries(fields).filter(([, text]) => text !== '')
const sorted = (entries: [string, unknown][]) => entries.toSorted(([a], [b]) => (a < b ? -1 : 1))

const same = (a: JobDraft, b: JobDraft) =>
  a.name === b.name &&
  a.description === b.description &&
  JSON.stringify(sorted(Object.entries(a.mapping))) === JSON.stringify(sorted(Object.entries(b.mapping))) &&
  JSON.stringify(sorted(filled(a.fields))) === JSON.stringify(sorted(filled(b.fields)))

export const jobForm = following({ draftOf, same })
