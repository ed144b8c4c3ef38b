/** The form of a job, and what becomes of it when somebody else saves the job meanwhile. Pure. */
import type { JobDetail } from '../../../contract/jobs.ts'
import { type Fields, fieldsOf } from '../tasks/argument-fields.ts'

export interface JobDraft {
  name: string
  description: string
  mapping: Record<string, number>
  fields: Fields
}

export function draftOf(job: JobDetail): JobDraft {
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

export const sameDraft = (a: JobDraft, b: JobDraft) =>
  a.name === b.name &&
  a.description === b.description &&
  JSON.stringify(sorted(Object.entries(a.mapping))) === JSON.stringify(sorted(Object.entries(b.mapping))) &&
  JSON.stringify(sorted(filled(a.fields))) === JSON.stringify(sorted(filled(b.fields)))

/** The job as it was when the form was filled from it, the form, and the other's version that waits for a decision. */
export interface JobForm {
  base: JobDetail
  draft: JobDraft
  theirs: JobDetail | null
}

export const formOf = (job: JobDetail): JobForm => ({ base: job, draft: draftOf(job), theirs: null })
export const isDirty = ({ base, draft }: JobForm) => !sameDraft(draft, draftOf(base))

/**
 * The job was read again. An untouched form follows it; a touched one keeps its input, and its base unless the fields are as they
 * were, so that saving over somebody else's change is noticed.
 */
export function follow(form: JobForm, job: JobDetail): JobForm {
  if (job === form.base) return form.theirs ? { ...form, theirs: null } : form
  if (!isDirty(form)) return formOf(job)
  if (sameDraft(draftOf(job), draftOf(form.base))) return { ...form, base: job, theirs: null }
  // The other has saved the very same.
  if (sameDraft(draftOf(job), form.draft)) return formOf(job)
  return { ...form, theirs: job }
}
