import { createDocumentImports } from '../../platform/documents/document-imports.ts'
import type { DocumentValues } from '../../platform/documents/documents.store.ts'
import type { Platform } from '../../platform/platform.ts'
import type { RecordImports } from '../../platform/record-imports.ts'
import type { ReadingsService } from '../readings/readings.service.ts'
import { judgeTask } from './task-judge.ts'
import { startTaskJudgeThread } from './task-judge-thread.ts'
import { taskKind } from './tasks.rules.ts'
import { createTasksStore } from './tasks.store.ts'

/** Tasks as bundles bring them. */
export const createTaskImportsService = (
  platform: Pick<Platform, 'store' | 'events' | 'clock'>,
  { readings }: { readings: ReadingsService },
): RecordImports<DocumentValues> => ({
  ...createDocumentImports(platform, taskKind, createTasksStore(platform.store)),
  judge: (yaml) => judgeTask(yaml, readings.now('task', yaml, undefined)),
  ahead: (yaml, _catalogue, signal) => readings.ahead('task', yaml, undefined, signal),
  judgeAhead: startTaskJudgeThread,
})
