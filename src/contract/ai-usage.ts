/** What AI providers were asked: calls, tokens, and what they cost. */
import Type, { type Static } from 'typebox'
import { aiRowsChoices } from './ai.ts'
import { Nullable, NullableInteger, NullableString, oneOrMore } from './common.ts'
import { operation } from './operation.ts'

export const aiUsageGroups = ['day', 'model', 'user'] as const
export type AiUsageGroup = (typeof aiUsageGroups)[number]
/** Usage is kept for so many days. */
export const aiUsageDays = 400
/** Of one response. */
export const mostAiUsageGroups = 2000

const use = {
  calls: Type.Integer({ description: 'Requests to the provider; a proposal takes one to three' }),
  failed_calls: Type.Integer(),
  estimated_calls: Type.Integer({
    description: 'Calls for which the provider reported no tokens: these are estimated from the length of the texts',
  }),
  input_tokens: Type.Integer(),
  output_tokens: Type.Integer(),
  cost: Type.Unsafe<number | null>({
    ...Nullable(Type.Number()),
    description: 'At today’s prices, without tokens of models that have none. Null: no price applies',
  }),
  unpriced_tokens: Type.Integer({ description: 'Tokens of models without a price; 0 if no prices are set' }),
}
const Day = Type.String({ format: 'date', examples: ['2026-03-01'] })

export const AiUsageReport = Type.Object({
  from: Day,
  to: Day,
  everyone: Type.Boolean({ description: 'false: only the usage of the caller, who isn’t an admin' }),
  currency: Type.Unsafe<string | null>({ ...NullableString, description: 'ISO 4217. Null: no prices are set' }),
  unpriced_models: Type.Array(Type.String(), { description: 'Models without a price; empty if no prices are set' }),
  total: Type.Object(use),
  groups: Type.Array(
    Type.Object({
      day: Type.Unsafe<string | null>({ ...Nullable(Day), description: 'UTC' }),
      host: NullableString,
      model: Type.Unsafe<string | null>({
        ...NullableString,
        description: 'Empty, as the host: called before an upgrade',
      }),
      user_id: NullableInteger,
      username: NullableString,
      ...use,
    }),
    { description: 'Null for what isn’t grouped. Sorted by day, then by tokens, most first' },
  ),
})
export type AiUsageReport = Static<typeof AiUsageReport>
export type AiUsageRow = AiUsageReport['groups'][number]

export const getAiUsage = operation({
  tag: 'AI',
  security: 'caller',
  id: 'getAiUsage',
  method: 'GET',
  path: '/api/ai/usage',
  summary: 'Get the state of AI generation, the tokens used since midnight UTC, and a report of earlier usage',
  description: `\`requests\`, \`tokens\`, and \`daily_tokens\` are those of everyone. A report requires \`from\`, \`to\`, or \`group_by\`. Usage is kept for ${aiUsageDays} days. More than ${mostAiUsageGroups} groups are refused.`,
  query: Type.Object(
    {
      from: Type.Optional({ ...Day, description: 'First day of the report (UTC), by default 29 days before the last' }),
      to: Type.Optional({ ...Day, description: 'Last day of the report (UTC), inclusive, by default today' }),
      group_by: Type.Optional(oneOrMore(Type.Enum([...aiUsageGroups]), aiUsageGroups.length)),
    },
    { additionalProperties: false },
  ),
  responses: {
    200: Type.Object({
      configured: Type.Boolean(),
      host: NullableString,
      model: NullableString,
      requests: Type.Integer(),
      tokens: Type.Integer(),
      daily_tokens: Type.Integer({ description: '0: no limit' }),
      rows: Type.Enum([...aiRowsChoices], { description: 'Whether requests for tasks may contain rows' }),
      report: Nullable(AiUsageReport),
    }),
  },
  errors: ['VALIDATION_ERROR'],
})
