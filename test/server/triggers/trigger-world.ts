import { onTestFinished } from 'vitest'
import type { JobDocument } from '../../../src/language/job/job.types.ts'
import { createTriggersService } from '../../../src/server/features/triggers/triggers.service.ts'
import { createSchedulerService } from '../../../src/server/features/scheduler/scheduler.service.ts'
import type { Caller } from '../../../src/server/platform/caller.ts'
import { notFound } from '../../../src/server/platform/refusal.ts'
import { type TestClock, createTestClock, openTestPlatform } from '../../support/platform.ts'
import type { JobStarts } from '../../../src/server/features/triggers/start-targets.service.ts'

export const caller: Caller = { kind: 'api_key', user_id: 1, username: 'u', role: 'editor', scopes: [], pending: false }

/** A real store, and jobs whose starts are written down in it. */
export async function openWorld(start?: (jobId: number) => void | 'overlap') {
  const clock: TestClock = createTestClock('2026-03-01T07:59:00.000Z')
  const { platform, close } = await openTestPlatform({ clock })
  onTestFinished(close)
  const { sqlite } = platform.store
  sqlite.exec(`
    CREATE TABLE started (id INTEGER PRIMARY KEY, job_id INTEGER NOT NULL, options TEXT NOT NULL);
    INSERT INTO job_templates (id, name, current_version, task_count, tags, search_text, revision, created_at, updated_at)
      VALUES (1, 't', 1, 1, '[]', 't', 1, '', '');`)
  const document = {
    name: 't',
    parameters: { day: { type: 'date', required: false }, n: { type: 'integer', required: false } },
    tasks: { a: { kind: 'task', key: 'a' }, ok: { kind: 'gate', key: 'ok' } },
  } as unknown as JobDocument // what triggers read of it
  const listeners: ((jobId: number, archived: boolean) => void)[] = []
  const jobOf = (id: number) =>
    (sqlite.prepare('SELECT * FROM jobs WHERE id = ?').get(id) as { name: string; status: 'active' } | undefined) ??
    notFound()
  const jobs = {
    forRun: (id: number) => ({ id, name: jobOf(id).name, status: jobOf(id).status, snapshot_id: 1, parameters: {} }),
    heldSnapshot: () => ({ document }),
    noteNextFire: (id: number, at: string | null) =>
      void sqlite.prepare('UPDATE jobs SET next_fire_at = ? WHERE id = ?').run(at, id),
    onArchived: (listener: (jobId: number, archived: boolean) => void) => void listeners.push(listener),
  }
  const jobRuns: JobStarts = {
    start(jobId, options) {
      if (start?.(jobId) === 'overlap') return { kind: 'overlap', job_run_id: 77 }
      const insert = sqlite.prepare('INSERT INTO started (job_id, options) VALUES (?, ?)')
      return { kind: 'started', job_run: { id: Number(insert.run(jobId, JSON.stringify(options)).lastInsertRowid) } }
    },
  }
  return {
    platform,
    clock,
    pause: createSchedulerService(platform),
    jobs,
    jobRuns,
    job(name = 'j'): number {
      const { lastInsertRowid } = sqlite
        .prepare(
          `INSERT INTO jobs (job_template_id, name, connector_mapping, parameters, status, template_version, search_text,
            revision, created_at, updated_at) VALUES (1, ?, '{}', '{}', 'active', 1, '', 1, '', '')`,
        )
        .run(name)
      return Number(lastInsertRowid)
    },
    archive(jobId: number, archived: boolean): void {
      platform.store.transaction(() => {
        sqlite.prepare('UPDATE jobs SET status = ? WHERE id = ?').run(archived ? 'archived' : 'active', jobId)
        for (const listener of listeners) listener(jobId, archived)
      })
    },
    nextFireOf: (jobId: number) =>
      (sqlite.prepare('SELECT next_fire_at FROM jobs WHERE id = ?').get(jobId) as { next_fire_at: string | null })
        .next_fire_at,
    started: () =>
      (sqlite.prepare('SELECT options FROM started ORDER BY id').all() as { options: string }[]).map(
        ({ options }) => JSON.parse(options) as Record<string, unknown>,
      ),
  }
}

/** With the scheduler. */
export async function triggerWorld(start?: (jobId: number) => void | 'overlap') {
  const world = await openWorld(start)
  const service = () => createTriggersService(world.platform, world)
  return { ...world, service, triggers: service() }
}
export type TriggerWorld = Awaited<ReturnType<typeof triggerWorld>>
