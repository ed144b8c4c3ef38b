import {
  generateDashboardTemplate,
  generateJobTemplate,
  generateTask,
  previewGenerateDashboardTemplate,
  previewGenerateJobTemplate,
  previewGenerateTask,
} from '../../../contract/ai.ts'
import { ConnectorsChoice, DashboardChoice, TasksChoice } from './choices.tsx'

/** What is asked for, by the editor that asks. */
export const aiKinds = {
  task: { generate: generateTask, preview: previewGenerateTask, Choice: ConnectorsChoice },
  jobTemplate: { generate: generateJobTemplate, preview: previewGenerateJobTemplate, Choice: TasksChoice },
  dashboardTemplate: {
    generate: generateDashboardTemplate,
    preview: previewGenerateDashboardTemplate,
    Choice: DashboardChoice,
  },
} as const
export type AiKind = keyof typeof aiKinds
export type AiOf = (typeof aiKinds)[AiKind]
