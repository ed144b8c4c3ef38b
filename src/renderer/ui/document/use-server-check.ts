import { useDebouncedValue } from '@mantine/hooks'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import type { validateDashboardTemplate } from '../../../contract/dashboard-templates.ts'
import type { validateJobTemplate } from '../../../contract/job-templates.ts'
import { useSession } from '../../api/session.ts'
import { type ApiFailure, call } from '../../api/client.ts'
import type { ServerFindings } from './server-findings.ts'

/** Milliseconds of stillness before the server is asked. */
const delay = 450

/** What the server says of a text; of an earlier one while it looks at a newer. */
export function useServerCheck(
  validate: typeof validateJobTemplate | typeof validateDashboardTemplate,
  text: string,
): ServerFindings | undefined {
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
  return check.data
}
