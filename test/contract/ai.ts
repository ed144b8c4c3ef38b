// How the operations of AI generation are brought to their answers, by a provider that answers as told.
import { hold } from '../../src/server/platform/config.hold.ts'
import { type FakeAi, startFakeAi } from '../support/fake-ai.ts'
import type { Answer } from '../support/server.ts'
import type { Stage } from './successes.ts'
import { send } from './support/send.ts'

let fake: Promise<FakeAi> | undefined

/** The provider stays for as long as the tests run. */
async function configured({ live }: Stage, key: string | null = 'a-key-of-the-tests'): Promise<void> {
  const { url } = await (fake ??= startFakeAi())
  const { config } = live.server.platform
  hold(config, 'ai.provider', 'compatible')
  hold(config, 'ai.base_url', url)
  hold(config, 'ai.model', 'model-1')
  hold(config, 'ai.api_key', key)
}
const body = { prompt: 'Load the orders' }
type Asking = 'testAi' | `${'generate' | 'previewGenerate'}${'Task' | 'JobTemplate' | 'DashboardTemplate'}`
const answered =
  (id: Asking, who: 'editor' | 'admin', more: object = {}) =>
  async (stage: Stage): Promise<Answer> => {
    await configured(stage)
    return send(stage.live[who], id, id === 'testAi' ? {} : { body: { ...body, ...more } })
  }
const refused =
  (id: Asking, who: 'editor' | 'admin') =>
  async (stage: Stage): Promise<Answer> => {
    await configured(stage, null)
    return send(stage.live[who], id, id === 'testAi' ? {} : { body })
  }

const generating = (id: Asking) => ({
  AI_NOT_CONFIGURED: refused(id, 'editor'),
  CONFLICT: answered(id, 'editor', { expected_digest: '0'.repeat(64) }),
})
const previewing = (id: Asking) => ({ AI_NOT_CONFIGURED: refused(id, 'editor') })

/** A question about a connector, of a world without an executor. */
const asking =
  (id: 'generateQuery' | 'previewGenerateQuery', key?: null, more: object = {}) =>
  async (stage: Stage): Promise<Answer> => {
    await configured(stage, key)
    return send(stage.live.editor, id, { body: { ...body, connector_id: stage.live.database, ...more } })
  }

/** A run that failed, of a world without an executor. */
const explaining =
  (id: 'explainRun' | 'previewExplainRun', key?: null, more: object = {}, failed = true) =>
  async (stage: Stage): Promise<Answer> => {
    await configured(stage, key)
    const run = await stage.live.run()
    if (failed)
      stage.live.server.platform.store.sqlite
        .prepare(`UPDATE runs SET status = 'failed', error_code = 'TASK_FAILED', error_message = 'x' WHERE id = ?`)
        .run(run.id)
    return send(stage.live.editor, id, { body: { run_id: run.id, ...more } })
  }
const noRun = (id: 'explainRun' | 'previewExplainRun') => explaining(id, undefined, { run_id: 999_999 })

export const aiSuccesses = {
  explainRun: explaining('explainRun'),
  previewExplainRun: explaining('previewExplainRun'),
  generateTask: answered('generateTask', 'editor'),
  previewGenerateTask: answered('previewGenerateTask', 'editor'),
  generateJobTemplate: answered('generateJobTemplate', 'editor'),
  previewGenerateJobTemplate: answered('previewGenerateJobTemplate', 'editor'),
  generateDashboardTemplate: answered('generateDashboardTemplate', 'editor'),
  previewGenerateDashboardTemplate: answered('previewGenerateDashboardTemplate', 'editor'),
  generateQuery: asking('generateQuery'),
  previewGenerateQuery: asking('previewGenerateQuery'),
  testAi: answered('testAi', 'admin'),
  getAiUsage: ({ live }: Stage) => send(live.editor, 'getAiUsage'),
  callMcp: ({ live }: Stage) => {
    hold(live.server.platform.config, 'mcp.enabled', true)
    return send(live.editor, 'callMcp', { body: { jsonrpc: '2.0', id: 1, method: 'ping' } })
  },
}

export const aiRefusals = {
  callMcp: {
    NOT_FOUND: ({ live }: Stage) => {
      hold(live.server.platform.config, 'mcp.enabled', false)
      return send(live.editor, 'callMcp', { body: { jsonrpc: '2.0', id: 1, method: 'ping' } })
    },
  },
  generateTask: generating('generateTask'),
  generateJobTemplate: generating('generateJobTemplate'),
  generateDashboardTemplate: generating('generateDashboardTemplate'),
  previewGenerateTask: previewing('previewGenerateTask'),
  previewGenerateJobTemplate: previewing('previewGenerateJobTemplate'),
  previewGenerateDashboardTemplate: previewing('previewGenerateDashboardTemplate'),
  generateQuery: {
    AI_NOT_CONFIGURED: asking('generateQuery', null),
    CONFLICT: asking('generateQuery', undefined, { expected_digest: '0'.repeat(64) }),
  },
  previewGenerateQuery: { AI_NOT_CONFIGURED: asking('previewGenerateQuery', null) },
  explainRun: {
    AI_NOT_CONFIGURED: explaining('explainRun', null),
    CONFLICT: explaining('explainRun', undefined, { expected_digest: '0'.repeat(64) }),
    INVALID_STATE: explaining('explainRun', undefined, {}, false),
    NOT_FOUND: noRun('explainRun'),
  },
  previewExplainRun: {
    AI_NOT_CONFIGURED: explaining('previewExplainRun', null),
    INVALID_STATE: explaining('previewExplainRun', undefined, {}, false),
    NOT_FOUND: noRun('previewExplainRun'),
  },
  testAi: { AI_NOT_CONFIGURED: refused('testAi', 'admin') },
}
