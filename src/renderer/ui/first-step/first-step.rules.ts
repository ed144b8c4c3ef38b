/** What can be created on the way from data to a shared dashboard, in the order in which it is created. */
export const steps = ['connector', 'task', 'template', 'dashboardTemplate', 'job', 'dashboard'] as const
export type Step = (typeof steps)[number]
export type StepGoal = Step | 'run' | 'lineage' | 'jobRun' | 'trigger' | 'share'

/** What has to be there before. A connector is advice: a task can be written without, by those who may not create one. */
const needs: Record<StepGoal, readonly Step[]> = {
  connector: [],
  task: ['connector'],
  run: ['task'],
  lineage: ['task'],
  template: ['task'],
  job: ['template'],
  jobRun: ['job'],
  trigger: ['job'],
  dashboardTemplate: ['template'],
  dashboard: ['dashboardTemplate', 'job'],
  share: ['dashboard'],
}

export type Totals = Partial<Record<Step, number>>

/** Whether the way to the goal depends on these, as far as it is known: what something needs matters only while there is none of it. */
export function asksFor(step: Step, goal: StepGoal, totals: Totals): boolean {
  const waits = (one: StepGoal) => needs[one].includes(step)
  return waits(goal) || steps.some((one) => totals[one] === 0 && waits(one) && asksFor(one, goal, totals))
}

/** All that is missing, the first one first. */
export const missing = (goal: StepGoal, totals: Totals): Step[] =>
  steps.filter((one) => totals[one] === 0 && asksFor(one, goal, totals))
