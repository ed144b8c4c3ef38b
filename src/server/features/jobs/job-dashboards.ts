import type { HeldDashboard } from './job-upgrade.rules.ts'

/** Where jobs get their dashboards from. */
export interface JobDashboards {
  /** What a snapshot of a job made from the template now holds. */
  templatesOf(jobTemplate: string): HeldDashboard[]
  /** Gives the job exactly these, in the caller's transaction. */
  write(jobId: number, held: readonly HeldDashboard[]): void
}
