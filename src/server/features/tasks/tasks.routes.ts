import type { FastifyInstance } from 'fastify'
import { previewConnector } from '../../../contract/connector-preview.ts'
import { previewTask, validateTask } from '../../../contract/task-preview.ts'
import {
  deleteTaskState,
  getTaskSchema,
  listTaskStates,
  resolveTaskState,
  taskOperations,
} from '../../../contract/tasks.ts'
import { taskSchema } from '../../../language/task/task-schema.ts'
import { registerDocumentRoutes } from '../../platform/documents/documents.routes.ts'
import { abortSignal, route } from '../../platform/http.ts'
import type { TaskStatesService } from './task-states.service.ts'
import type { TasksService } from './tasks.service.ts'

export function registerTasksRoutes(app: FastifyInstance, tasks: TasksService, states: TaskStatesService) {
  registerDocumentRoutes(app, taskOperations, tasks)
  route(app, listTaskStates, ({ params }) => states.list(tasks.get(params.id).id))
  route(app, deleteTaskState, ({ params }) => states.forget(params.id, params.stateId))
  route(app, resolveTaskState, ({ params, body }) => states.resolve(params.id, params.stateId, body))
  route(app, validateTask, ({ body, request }) => tasks.validate(body.yaml_content, abortSignal(request)))
  route(app, previewTask, ({ body, request }) => tasks.preview(body, abortSignal(request)))
  route(app, previewConnector, ({ body, request }) => tasks.previewConnector(body, abortSignal(request)))
  route(app, getTaskSchema, () => ({ ...taskSchema }))
}
