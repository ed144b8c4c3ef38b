import { useDebouncedValue } from '@mantine/hooks'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import type { validateDashboardTemplate } from '../../../contract/dashboard-templates.ts'
import type { validateJobTemplate } from '../../../contract/job-templates.ts'
import { useSession } from '../../api/session.ts'
import { type ApiFailure, call } from '../../api/client.ts'
import type { ServerFindings } from './server-findings.ts'

/** Milliseconds of stillness before the server is asked. */
const delay = 450

export interface ServerCheck {
  /** What the server says of a text; of an earlier one while it looks at a newer. */
  found: ServerFindings | undefined
  /** Why it says nothing of the text. */
  failed: { error: Error; retry: () => void } | null
}

/** The text as the server sees it, which knows what it refers to. */
export function useServerCheck(
  validate: typeof validateJobTemplate | typeof validateDashboardTemplate,
  text: string,
): ServerCheck {
  const { can } = useSession()
  const [asked] = useDebouncedValue(text, delay)
  const check = useQuery<ServerFindings, ApiFailure>({
    queryKey: [validate.id, asked],
    queryFn: async ({ signal }) => ({
      ...(await call(validate, { body: { yaml_content: asked }, signal })),
      text: asked,
    }),
    enabled: can(validate.id) && asked.trim() !== '',
    placeholderData: keepPreviousData,
    gcTime: 60_000,
  })
  return { found: check.data, failed: check.error ? { error: check.error, retry: () => void check.refetch() } : null }
}
