import { useMemo } from 'react'
import type { JobDetail } from '../../../contract/jobs.ts'
import { getJobSnapshot } from '../../../contract/jobs.ts'
import type { ArgumentSpec, ConnectorSlot, Json } from '../../../language/task/task.types.ts'
import { useOperation } from '../../api/queries.ts'

/** The server wrote them from objects. */
const objectOf = (json: string) => JSON.parse(json) as Record<string, Json>

/** What the template asks for and what the job gives, as forms need it. */
export function useJobShape(job: JobDetail) {
  const snapshot = useOperation(getJobSnapshot, { params: { id: job.id } })
  const data = snapshot.data
  const shape = useMemo(() => {
    // Specs and slots come as the language wrote them.
    const specs = (data?.parameters ?? {}) as Record<string, ArgumentSpec>
    const slots = (data?.connector_refs ?? {}) as Record<string, ConnectorSlot>
    return {
      loaded: data !== undefined,
      snapshot: data,
      specs,
      slots,
      parameters: objectOf(job.parameters),
      mapping: objectOf(job.connector_mapping) as Record<string, number>,
      taskKeys: (data?.nodes ?? []).map((node) => node.key),
    }
  }, [data, job])
  return { ...shape, error: data ? null : snapshot.error, retry: () => void snapshot.refetch() }
}
export type JobShape = ReturnType<typeof useJobShape>

/** Specs for values over those of the job: nothing is required, and the job's values are what an empty field takes. */
export function overridable(specs: JobShape['specs'], parameters: JobShape['parameters']): JobShape['specs'] {
  return Object.fromEntries(
    Object.entries(specs).map(([name, spec]) => {
      const { default: standard, ...rest } = spec
      const own = parameters[name] ?? standard
      return [name, { ...rest, required: false, ...(own === undefined ? {} : { default: own }) }]
    }),
  )
}
