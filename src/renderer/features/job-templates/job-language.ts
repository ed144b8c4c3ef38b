import { type JobWorld, completeJob } from '../../../language/complete-job.ts'
import { hoverJob } from '../../../language/hover-job.ts'
import { type LiveWorld, languageIn } from '../../ui/code/template-language.ts'

/** Completion and hover of job templates in what is known at that moment. */
export const jobLanguageIn = (live: () => LiveWorld<JobWorld>) =>
  languageIn({ complete: completeJob, hover: hoverJob }, live)

/** For texts that are only looked at. */
export const jobLanguage = jobLanguageIn(() => ({ world: {}, pending: () => null }))
