import { parseDashboard, type ParsedDashboard } from '../../../language/dashboard/parse-dashboard.ts'
import { catalogueOf, type JobTemplateTexts } from '../../../language/dashboard/job-template-catalogue.ts'
import type { CatalogueTask, CatalogueVersion, JobCatalogue } from '../../../language/job/job.types.ts'
import { jobTemplateIn } from '../../../language/dashboard/job-template-in.ts'
import { parseJob, type ParsedJob } from '../../../language/job/parse-job.ts'
import { parseTask, type ParsedTask } from '../../../language/task/parse-task.ts'
import { hasPart, withPartOf } from '../../../language/yaml/document-part.ts'

/** What else is asked of texts that can be long. */
interface Works {
  hasPart: { args: Parameters<typeof hasPart>; result: boolean }
  withPartOf: { args: Parameters<typeof withPartOf>; result: string | null }
  jobTemplateIn: { args: Parameters<typeof jobTemplateIn>; result: string | undefined }
}
export type WorkName = keyof Works
export type ArgumentsOf<Name extends WorkName> = Works[Name]['args']
export type ResultOf<Name extends WorkName> = Works[Name]['result']
export interface Work<Name extends WorkName = WorkName> {
  work: Name
  args: ArgumentsOf<Name>
}
const works: { readonly [Name in WorkName]: (...args: ArgumentsOf<Name>) => ResultOf<Name> } = {
  hasPart,
  withPartOf,
  jobTemplateIn,
}

export const doWork = <Name extends WorkName>({ work, args }: Work<Name>): ResultOf<Name> => works[work](...args)

/** What is made of the text of each kind of document. */
export interface Readings {
  task: ParsedTask
  job: ParsedJob
  dashboard: ParsedDashboard
}
export type DocumentName = keyof Readings

/** What a text of each kind is held against, if anything. */
export interface Surroundings {
  task: undefined
  job: JobCatalogue | undefined
  dashboard: JobTemplateTexts | undefined
}

/** What a reader elsewhere wants to know of the surroundings. */
export type Question =
  | { of: 'task'; name: string }
  | { of: 'version'; task: CatalogueTask; version: number }
  | { of: 'tasks' | 'pools' | 'channels' | 'job_templates' }
  | { of: 'job_template'; name: string }
/** By the question's JSON. What is not there is known not to exist only if the question is. */
export type Answers = ReadonlyMap<string, unknown>

/** A text to be read in the thread; without `alone`, held against surroundings that only answers describe. */
export interface Wanted {
  name: DocumentName
  text: string
  alone: boolean
  answers: Answers
}
export type Outcome = { read: Readings[DocumentName] } | { questions: Question[] }

/** Of texts, in UTF-16 units. */
export const lengthOf = (asked: Wanted | Work): number =>
  'work' in asked ? asked.args.reduce((sum, { length }) => sum + length, 0) : asked.text.length

export function readHere<Name extends DocumentName>(
  name: Name,
  text: string,
  surroundings: Surroundings[Name],
): Readings[Name]
export function readHere(
  name: DocumentName,
  text: string,
  surroundings: Surroundings[DocumentName],
): Readings[DocumentName] {
  if (name === 'task') return parseTask(text)
  // The signature above gives each kind its own.
  if (name === 'job') return parseJob(text, surroundings as Surroundings['job'])
  const templates = surroundings as Surroundings['dashboard']
  return parseDashboard(text, templates && catalogueOf(templates))
}

/** Reads a text with what is known, or says what has to be known first. */
export function readWith({ name, text, alone, answers }: Wanted): Outcome {
  const questions = new Map<string, Question>()
  function ask(question: Question): unknown {
    const key = JSON.stringify(question)
    if (!answers.has(key)) questions.set(key, question)
    return answers.get(key)
  }
  // Each answer was made for this very question by `answer`.
  const job: JobCatalogue = {
    task: (task) => ask({ of: 'task', name: task }) as CatalogueTask | undefined,
    version: (task, version) => ask({ of: 'version', task, version }) as CatalogueVersion | undefined,
    taskNames: () => (ask({ of: 'tasks' }) ?? []) as string[],
    get pools() {
      return (ask({ of: 'pools' }) ?? []) as string[]
    },
    get channels() {
      return (ask({ of: 'channels' }) ?? []) as string[]
    },
  }
  const dashboard: JobTemplateTexts = {
    jobTemplateNames: () => (ask({ of: 'job_templates' }) ?? []) as string[],
    jobTemplate: (template) =>
      ask({ of: 'job_template', name: template }) as ReturnType<JobTemplateTexts['jobTemplate']>,
  }
  const surroundings = alone || name === 'task' ? undefined : name === 'job' ? job : dashboard
  const read = readHere<DocumentName>(name, text, surroundings)
  return questions.size > 0 ? { questions: [...questions.values()] } : { read }
}

/** The answer to a question about these surroundings. */
export function answer(surroundings: Surroundings[DocumentName], question: Question): unknown {
  // Each kind of document asks only about its own surroundings.
  const job = surroundings as JobCatalogue
  const templates = surroundings as JobTemplateTexts
  switch (question.of) {
    case 'task':
      return job.task(question.name)
    case 'version':
      return job.version(question.task, question.version)
    case 'tasks':
      return job.taskNames()
    case 'pools':
      return job.pools
    case 'channels':
      return job.channels
    case 'job_templates':
      return templates.jobTemplateNames()
    case 'job_template':
      return templates.jobTemplate(question.name)
  }
}
