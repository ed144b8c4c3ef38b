import type { previewGenerateQuery } from '../../../contract/ai.ts'
import { msg } from '../../../contract/messages.ts'
import type { BodyOf } from '../../../contract/operation.ts'
import { invalid } from '../../platform/refusal.ts'
import { onlyDraft } from './draft.rules.ts'
import { type Connectors, knowledgeOf } from './knowledge.ts'
import type { Plan } from './plan.types.ts'
import { queryText } from './prompt.rules.ts'
import { isQuery, queryFindings } from './query.rules.ts'

/** Queries of one connector, in its own language. They are checked, and run by nobody but a person. */
export function planQuery({ connectors }: { connectors: Connectors }) {
  return async (body: BodyOf<typeof previewGenerateQuery>, signal: AbortSignal): Promise<Plan> => {
    const { prompt, connector_id: id, base_query } = body
    if (!connectors.kinds([id]).has(id))
      invalid([{ path: 'body.connector_id', ...msg('ai_connector_unknown', { id }) }])
    const [known] = await knowledgeOf(connectors, new Map([['source', id]]), [prompt, base_query ?? ''], signal)
    if (!known) throw new Error('One connector was asked about')
    const { type, all_listed, resources } = known
    return {
      system: queryText(type),
      facts: {
        connector: { type, all_listed, resources },
        ...(base_query !== undefined && { current_query: base_query }),
      },
      drafts: {
        read: (answer) => onlyDraft(answer, (text) => isQuery(text, type)),
        check: async (text) => queryFindings(text, known),
        proposal: (query, outcome) => ({ event: 'query', query, ...outcome }),
      },
    }
  }
}
