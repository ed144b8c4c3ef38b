import type { FastifyInstance } from 'fastify'
import {
  createExplorerPreset,
  deleteExplorerPreset,
  getExplorerPreset,
  listExplorerPresets,
  updateExplorerPreset,
} from '../../../contract/explorer-presets.ts'
import { recordRoute, route } from '../../platform/http.ts'
import type { ExplorerPresetsService } from './explorer-presets.service.ts'

export function registerExplorerPresetsRoutes(app: FastifyInstance, presets: ExplorerPresetsService): void {
  route(app, listExplorerPresets, ({ query }) => presets.list(query))
  route(app, createExplorerPreset, ({ body, caller, etag }) => {
    const preset = presets.create(body, caller)
    etag(presets.etag(preset.id))
    return preset
  })
  recordRoute(
    app,
    getExplorerPreset,
    ({ params }) => presets.get(params.id),
    ({ params }) => presets.etag(params.id),
  )
  route(app, updateExplorerPreset, ({ params, body, caller, ifMatch, etag }) => {
    const preset = presets.update(params.id, body, caller, ifMatch)
    etag(presets.etag(preset.id))
    return preset
  })
  route(app, deleteExplorerPreset, ({ params, caller }) => {
    presets.remove(params.id, caller)
    return undefined
  })
}
