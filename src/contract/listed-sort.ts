import Type from 'typebox'

/** How runs and job runs can be sorted. */
const listedSorts = ['created_at', 'duration_ms', 'status'] as const
export type ListedSort = (typeof listedSorts)[number]

/** `statuses`: in ascending order. */
export const listedSort = (statuses: readonly string[]) => ({
  sort: Type.Optional(
    Type.Enum([...listedSorts], {
      description: `By \`duration_ms\`, those without a duration come last in either order. By \`status\`: ${statuses
        .map((status) => `\`${status}\``)
        .join(', ')}; within a status, newest first`,
    }),
  ),
  order: Type.Optional(Type.Enum(['asc', 'desc'], { description: 'By default `asc` for `status`, else `desc`' })),
})
