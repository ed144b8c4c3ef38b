/** The task, job template, or dashboard template of exactly this name, in the archive or not. */
import { listDashboardTemplates } from '../../contract/dashboard-templates.ts'
import { listJobTemplates } from '../../contract/job-templates.ts'
import { listTasks } from '../../contract/tasks.ts'
import { call } from './client.ts'

/** A name is searched by its parts, and among what is found there may be many others. */
const mostPages = 20

async function findAmong(
  kind: 'task' | 'job_template' | 'dashboard_template',
  name: string,
  archived: boolean,
  signal?: AbortSignal,
) {
  const list = { task: listTasks, job_template: listJobTemplates, dashboard_template: listDashboardTemplates }[kind]
  let cursor: string | undefined
  for (let page = 0; page < mostPages; page += 1) {
    const query = { q: name.slice(0, 200), archived, sort: 'name' as const, order: 'asc' as const, limit: 200, cursor }
    // A page leads to the next.
    const found = await call(list, { query, ...(signal ? { signal } : {}) })
    const record = found.result.find((one) => one.name === name)
    if (record) return record
    if (!found.nextCursor) return undefined
    cursor = found.nextCursor
  }
  return undefined
}

export const findByName = async (
  kind: 'task' | 'job_template' | 'dashboard_template',
  name: string,
  signal?: AbortSignal,
) => (await findAmong(kind, name, false, signal)) ?? (await findAmong(kind, name, true, signal))
