import type { FastifyInstance } from 'fastify'
import { previewConnector } from '../../../contract/connector-preview.ts'
import { previewTask, validateTask } from '../../../contract/task-preview.ts'
import {
  archiveTask,
  createTask,
  deleteTaskState,
  resolveTaskState,
  getTask,
  getTaskSchema,
  getTaskVersion,
  listTaskStates,
  listTaskVersions,
  listTasks,
  restoreTask,
  restoreTaskVersion,
  updateTask,
} from '../../../contract/tasks.ts'
import { taskSchema } from '../../../language/task/task-schema.ts'
import { abortSignal, route } from '../../platform/http.ts'
import type { TaskStatesService } from './task-states.service.ts'
import type { TasksService } from './tasks.service.ts'

export function registerTasksRoutes(app: FastifyInstance, tasks: TasksService, states: TaskStatesService) {
  route(app, listTasks, ({ query }) => tasks.list(query))
  route(app, createTask, ({ body, caller, etag }) => {
    const task = tasks.create(body, caller)
    etag(tasks.etag(task.id))
    return task
  })
  route(app, getTask, ({ params, etag }) => {
    etag(tasks.etag(params.id))
    return tasks.get(params.id)
  })
  route(app, updateTask, ({ params, body, caller, ifMatch, etag }) => {
    const task = tasks.update(params.id, body, caller, ifMatch)
    etag(tasks.etag(task.id))
    return task
  })
  route(app, archiveTask, ({ params }) => tasks.setArchived(params.id, 1))
  route(app, restoreTask, ({ params }) => tasks.setArchived(params.id, 0))
  route(app, listTaskVersions, ({ params, query }) => tasks.listVersions(params.id, query))
  route(app, getTaskVersion, ({ params }) => tasks.version(params.id, params.vid))
  route(app, restoreTaskVersion, ({ params, caller, etag }) => {
    const task = tasks.restoreVersion(params.id, params.vid, caller)
    etag(tasks.etag(task.id))
    return task
  })
  route(app, listTaskStates, ({ params }) => states.list(tasks.get(params.id).id))
  route(app, deleteTaskState, ({ params }) => states.forget(params.id, params.stateId))
  route(app, resolveTaskState, ({ params, body }) => states.resolve(params.id, params.stateId, body))
  route(app, validateTask, ({ body, request }) => tasks.validate(body.yaml_content, abortSignal(request)))
  route(app, previewTask, ({ body, request }) => tasks.preview(body, abortSignal(request)))
  route(app, previewConnector, ({ body, request }) => tasks.previewConnector(body, abortSignal(request)))
  route(app, getTaskSchema, () => ({ ...taskSchema }))
}
