// How a preview with a connector that is not saved is brought to its answers.
import { join } from 'node:path'
import type { RefusalStage } from './refusals.ts'
import type { Stage } from './successes.ts'
import { type Request, send } from './support/send.ts'

const table = `etl: 1
kind: pipeline
name: people
connectors: {file: {type: sqlite, access: read}, out: {type: file, access: write}}
source: {connector: file, sql: {table: people}}
target: {connector: out, file: {path: out.csv}}
`
const requestOf = (path: string, more: object = {}): Request => ({
  body: { type: 'sqlite', config: { path }, yaml_content: table, ...more },
})

export const connectorPreviewSuccesses = {
  previewConnector: ({ live }: Stage) => send(live.admin, 'previewConnector', requestOf(join(live.folder, 'app.db'))),
}

export const unsavedPreview = requestOf('/nowhere/at/all.db')

export const connectorPreviewRefusals = {
  previewConnector: {
    NOT_FOUND: ({ live }: RefusalStage) =>
      send(live.admin, 'previewConnector', requestOf('/nowhere/at/all.db', { connector_id: 999_999 })),
  },
}
