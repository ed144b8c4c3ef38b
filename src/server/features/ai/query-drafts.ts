import type { previewGenerateQuery } from '../../../contract/ai.ts'
import { msg } from '../../../contract/messages.ts'
import type { BodyOf } from '../../../contract/operation.ts'
import { invalid } from '../../platform/refusal.ts'
import type { ExplorerPresetsService } from '../explorer-presets/explorer-presets.service.ts'
import { type BuilderDraft, builderDraft, builderProposal } from './builder.rules.ts'
import { onlyDraft } from './draft.rules.ts'
import { type Connectors, columnsOf, knowledgeOf, resourceNamed } from './knowledge.ts'
import type { Plan } from './plan.types.ts'
import { builderText, queryText } from './prompt.rules.ts'
import { isQuery, queryFindings } from './query.rules.ts'

interface Dependencies {
  connectors: Connectors
  presets: Pick<ExplorerPresetsService, 'mistakes' | 'read'>
}

/** Queries of one connector, in its own language or as conditions of the builder. They are checked, and run by nobody but a person. */
export function planQuery({ connectors, presets }: Dependencies) {
  return async (body: BodyOf<typeof previewGenerateQuery>, signal: AbortSignal): Promise<Plan> => {
    const { prompt, connector_id: id, base_query, builder = false } = body
    if (!connectors.kinds([id]).has(id))
      invalid([{ path: 'body.connector_id', ...msg('ai_connector_unknown', { id }) }])
    const [known] = await knowledgeOf(connectors, new Map([['source', id]]), [prompt, base_query ?? ''], signal)
    if (!known) throw new Error('One connector was asked about')
    const { type, all_listed, resources } = known
    const draftIn = (text: string) => (builder ? builderDraft(text) : null)
    const proposalOf = (draft: BuilderDraft) =>
      builderProposal(draft, { type, known, resource: resourceNamed(known, draft.resource), ...presets })
    return {
      system: queryText(type, builder ? builderText(type) : ''),
      facts: () => ({
        connector: { type, all_listed, resources },
        // As data, each of its texts is searched for secrets by itself.
        ...(base_query !== undefined && {
          current_query: draftIn(base_query) ? (JSON.parse(base_query) as unknown) : base_query,
        }),
      }),
      drafts: {
        read: (answer) => onlyDraft(answer, (text) => draftIn(text) !== null || isQuery(text, type)),
        async check(text, until) {
          const draft = draftIn(text)
          if (!draft) return queryFindings(text, known)
          // Its types say what values mean, however many resources there are.
          const resource = resourceNamed(known, draft.resource)
          if (resource && !resource.columns) {
            const columns = await columnsOf(connectors, id, resource.name, until)
            if (columns) resource.columns = columns
          }
          return proposalOf(draft).findings
        },
        proposal(text, outcome) {
          const draft = draftIn(text)
          if (!draft) return { event: 'query', query: text, ...noBuilder, ...outcome }
          const { resource, definition, built } = proposalOf(draft)
          const query = built?.text ?? ''
          return { event: 'query', query, parameters: built?.parameters ?? {}, resource, definition, ...outcome }
        },
      },
    }
  }
}

const noBuilder = { parameters: {}, resource: null, definition: null }
