/** Where records are looked up; each by itself, so that one that fails leaves the others. */
import { listApiKeys } from '../../../contract/api-keys.ts'
import { listBackups } from '../../../contract/backups.ts'
import { listLimit } from '../../../contract/common.ts'
import { listConnectors } from '../../../contract/connectors.ts'
import { listDashboardTemplates } from '../../../contract/dashboard-templates.ts'
import { listDashboards } from '../../../contract/dashboards.ts'
import { listEventTriggers } from '../../../contract/event-triggers.ts'
import { listExecutors } from '../../../contract/executors.ts'
import { getJobRun, listAllJobRuns } from '../../../contract/job-runs.ts'
import { listJobTemplates } from '../../../contract/job-templates.ts'
import { listJobs } from '../../../contract/jobs.ts'
import { listNotifications } from '../../../contract/notifications.ts'
import type { OperationId } from '../../../contract/operations.ts'
import { listPools } from '../../../contract/pools.ts'
import { getRun, listRuns, searchRunErrors } from '../../../contract/runs.ts'
import { getServerConfig } from '../../../contract/server-config.ts'
import { listTasks } from '../../../contract/tasks.ts'
import { listTriggers } from '../../../contract/triggers.ts'
import { listUsers } from '../../../contract/users.ts'
import { ApiFailure, call } from '../../api/client.ts'
import { currentLocale } from '../../i18n/locale.ts'
import { settingTexts } from '../../i18n/server-texts.ts'
import { translateError } from '../../i18n/translate.ts'
import { paths } from '../../paths.ts'
import type { Found } from './found.ts'

export interface SearchTerm {
  /** What the server looks for; never empty. */
  text: string
  /** The number that was typed, if it was one. */
  number: number | null
}

export interface ServerSource {
  name: string
  needs?: OperationId
  /** All of them at once, looked through here; else what the server finds. */
  whole?: true
  load(term: SearchTerm, signal: AbortSignal): Promise<Found[]>
}

const perSource = 20
const wholeLimit = listLimit.maximum
const runsOfOne = 4
const failuresSearched = 100
/** One letter finds no name in particular whose runs could be meant. */
const leastForRuns = 2

type ByName =
  | typeof listTasks
  | typeof listJobs
  | typeof listJobTemplates
  | typeof listDashboardTemplates
  | typeof listConnectors
interface Named {
  id: number
  name: string
  description: string | null
}

/**
 * Names that begin so before names that hold it: what was typed exactly is found among thousands. Where nothing holds it, names with
 * its first letters, for letters may be left out.
 */
async function named(list: ByName, text: string, signal: AbortSignal): Promise<Named[]> {
  const ask = async (query: { q?: string; starts_with?: string }, limit: number): Promise<Named[]> =>
    (await call(list, { query: { ...query, sort: 'name', limit }, signal })).result
  const [begins, holds] = await Promise.all([ask({ starts_with: text }, perSource), ask({ q: text }, perSource)])
  const both = [...begins, ...holds]
  return both.length > 0 || text.length < 3 ? both : ask({ starts_with: text.slice(0, 1) }, 100)
}

const namedSource = (
  name: string,
  needs: OperationId,
  list: ByName,
  kind: Found['kind'],
  to: (id: number) => string,
): ServerSource => ({
  name,
  needs,
  load: async ({ text }, signal) =>
    (await named(list, text, signal)).map((record) => ({
      kind,
      id: String(record.id),
      title: record.name,
      ...(record.description ? { hint: record.description } : {}),
      to: to(record.id),
    })),
})

/** Shorter words are in every text. */
const leastForTexts = 3

/** Records whose YAML holds the words. */
const textSource = (
  name: string,
  needs: OperationId,
  list: typeof listTasks | typeof listJobTemplates,
  kind: Found['kind'],
  to: (id: number) => string,
): ServerSource => ({
  name,
  needs,
  async load({ text }, signal) {
    if (text.length < leastForTexts) return []
    const { result } = await call(list, { query: { yaml: text, limit: perSource }, signal })
    return result.map(({ id, name: title }) => ({ kind, id: String(id), title, hint: `YAML: ${text}`, to: to(id) }))
  },
})

/** Nothing of that number is no failure. */
async function orNothing<T>(answer: Promise<T>): Promise<T[]> {
  try {
    return [await answer]
  } catch (error) {
    if (error instanceof ApiFailure && error.status === 404) return []
    throw error
  }
}

const best = async (list: typeof listTasks | typeof listJobs, text: string, signal: AbortSignal, limit = 1) =>
  text.length < leastForRuns
    ? []
    : (await call(list, { query: { starts_with: text, sort: 'name', limit }, signal })).result

const runTitle = (id: number, name: string) => `#${id} ${name}`

export const serverSources: readonly ServerSource[] = [
  namedSource('tasks', 'listTasks', listTasks, 'task', (id) => paths.task(id)),
  namedSource('jobs', 'listJobs', listJobs, 'job', (id) => paths.job(id)),
  namedSource('job-templates', 'listJobTemplates', listJobTemplates, 'jobTemplate', (id) => paths.jobTemplate(id)),
  textSource('task-texts', 'listTasks', listTasks, 'task', (id) => paths.task(id)),
  textSource('job-template-texts', 'listJobTemplates', listJobTemplates, 'jobTemplate', (id) => paths.jobTemplate(id)),
  namedSource('dashboard-templates', 'listDashboardTemplates', listDashboardTemplates, 'dashboardTemplate', (id) =>
    paths.dashboardTemplate(id),
  ),
  namedSource('connectors', 'listConnectors', listConnectors, 'connector', (id) => paths.connector(id)),
  {
    name: 'dashboards',
    needs: 'listDashboards',
    load: async ({ text }, signal) =>
      (await call(listDashboards, { query: { q: text, limit: perSource }, signal })).result.map((one) => ({
        kind: 'dashboard',
        id: String(one.id),
        title: one.name,
        hint: one.job_name,
        to: paths.dashboard(one.id),
      })),
  },
  {
    name: 'runs',
    needs: 'listRuns',
    async load({ text, number }, signal) {
      const byNumber = number ? await orNothing(call(getRun, { params: { id: number }, signal })) : []
      const [task] = number ? [] : await best(listTasks, text, signal)
      const query = { task_id: [task?.id ?? 0], limit: runsOfOne }
      const ofTask = task ? (await call(listRuns, { query, signal })).result : []
      return [...byNumber, ...ofTask].map((run) => ({
        kind: 'run',
        id: String(run.id),
        title: runTitle(run.id, run.task_name),
        hint: run.status,
        to: paths.run(run.id),
        ...(run.id === number ? { exact: true as const } : {}),
      }))
    },
  },
  {
    // Failed runs by what they say went wrong: as it was written, which the server searches, or as the reader has it, in the newest.
    name: 'run-errors',
    needs: 'searchRunErrors',
    async load({ text }, signal) {
      if (text.length < leastForTexts) return []
      const query = { status: ['failed' as const], limit: failuresSearched }
      const [written, newest] = await Promise.all([
        call(searchRunErrors, { query: { q: text, limit: perSource }, signal }),
        currentLocale().startsWith('en') ? null : call(listRuns, { query, signal }),
      ])
      const translated = newest?.result.filter((run) => translateError(run)?.toLowerCase().includes(text.toLowerCase()))
      const runs = new Map([...(translated ?? []), ...written.result].map((run) => [run.id, run]))
      return [...runs.values()]
        .toSorted((a, b) => b.id - a.id)
        .slice(0, perSource)
        .map((run) => {
          const error = [...new Set([translateError(run), run.error_message])].filter(Boolean).join(' ')
          return {
            kind: 'run',
            id: String(run.id),
            title: runTitle(run.id, run.task_name),
            hint: error.slice(0, 200),
            keywords: error,
            to: paths.run(run.id),
          }
        })
    },
  },
  {
    name: 'job-runs',
    needs: 'listAllJobRuns',
    async load({ text, number }, signal) {
      const byNumber = number ? await orNothing(call(getJobRun, { params: { id: number }, signal })) : []
      const [job] = number ? [] : await best(listJobs, text, signal)
      const query = { job_id: [job?.id ?? 0], limit: runsOfOne }
      const ofJob = job ? (await call(listAllJobRuns, { query, signal })).result : []
      return [...byNumber, ...ofJob].map((run) => ({
        kind: 'jobRun',
        id: String(run.id),
        title: runTitle(run.id, run.job_name),
        hint: run.status,
        to: paths.jobRun(run.id),
        ...(run.id === number ? { exact: true as const } : {}),
      }))
    },
  },
  {
    name: 'triggers',
    needs: 'listTriggers',
    async load({ text }, signal) {
      const jobs = await best(listJobs, text, signal, 3)
      const ofJob = async (jobId: number) => {
        const query = { job_id: jobId, limit: perSource }
        const [timed, byEvent] = await Promise.all([
          call(listTriggers, { query, signal }),
          call(listEventTriggers, { query, signal }),
        ])
        const found = (id: string, title: string, hint: string, view?: string): Found => ({
          kind: 'trigger',
          id,
          title,
          hint,
          to: paths.triggers({ job_id: jobId, ...(view ? { view } : { view: 'list', trigger: Number(id) }) }),
        })
        return [
          ...timed.result.map((one) => found(String(one.id), one.job_name, one.cron_expression ?? one.type)),
          ...byEvent.result.map((one) => found(`event-${one.id}`, one.job_name, one.name, 'events')),
        ]
      }
      return (await Promise.all(jobs.map(({ id }) => ofJob(id)))).flat()
    },
  },
  {
    name: 'users',
    needs: 'listUsers',
    load: async ({ text }, signal) =>
      (await call(listUsers, { query: { q: text, limit: perSource }, signal })).result.map((user) => ({
        kind: 'user',
        id: String(user.id),
        title: user.username,
        ...(user.display_name ? { hint: user.display_name } : {}),
        to: paths.user(user.id),
      })),
  },
  {
    name: 'api-keys',
    needs: 'listApiKeys',
    load: async ({ text }, signal) =>
      (await call(listApiKeys, { query: { q: text, limit: perSource }, signal })).result.map((key) => ({
        kind: 'apiKey',
        id: String(key.id),
        title: key.name,
        to: paths.settings('api-keys', { q: key.name }),
      })),
  },
  {
    name: 'channels',
    needs: 'listNotifications',
    whole: true,
    load: async (_term, signal) =>
      (await call(listNotifications, { query: { limit: wholeLimit }, signal })).result.map((channel) => ({
        kind: 'channel',
        id: String(channel.id),
        title: channel.name,
        hint: channel.type,
        to: paths.settings('notifications', { channel: channel.id }),
      })),
  },
  {
    name: 'pools',
    needs: 'listPools',
    whole: true,
    load: async (_term, signal) =>
      (await call(listPools, { signal })).map((pool) => ({
        kind: 'pool',
        id: pool.name,
        title: pool.name,
        ...(pool.description ? { hint: pool.description } : {}),
        to: paths.settings('pools', { pool: pool.name }),
      })),
  },
  {
    name: 'executors',
    needs: 'listExecutors',
    whole: true,
    load: async (_term, signal) =>
      (await call(listExecutors, { signal })).map((executor) => ({
        kind: 'executor',
        id: String(executor.id),
        title: executor.name,
        hint: executor.status,
        to: paths.executors(),
      })),
  },
  {
    name: 'backups',
    needs: 'listBackups',
    whole: true,
    load: async (_term, signal) =>
      (await call(listBackups, { query: { limit: wholeLimit }, signal })).result.map((backup) => ({
        kind: 'backup',
        id: backup.name,
        title: backup.name,
        hint: backup.reason,
        to: paths.settings('backups', { backup: backup.name }),
      })),
  },
  {
    name: 'settings',
    needs: 'getServerConfig',
    whole: true,
    load: async (_term, signal) =>
      (await call(getServerConfig, { signal })).settings.map(settingTexts).map((setting) => ({
        kind: 'setting',
        id: setting.key,
        title: setting.title,
        hint: setting.key,
        keywords: `${setting.description} ${setting.env}`,
        to: paths.settings('configuration', { find: setting.key }),
      })),
  },
  {
    name: 'docs',
    whole: true,
    load: async () =>
      (await import('../../features/docs/docs-entries.ts')).docsEntries.map(({ id, label, hint, to }) => ({
        kind: 'docs',
        id,
        title: label,
        ...(hint ? { hint } : {}),
        to,
      })),
  },
]
