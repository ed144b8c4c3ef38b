import { useDebouncedValue } from '@mantine/hooks'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { type JobTemplateValidation, validateJobTemplate } from '../../../contract/job-templates.ts'
import { type ApiFailure, call } from '../../api/client.ts'

/** Milliseconds of stillness before the server is asked. */
const delay = 450

export interface ServerCheck extends JobTemplateValidation {
  /** The text that it is about. */
  text: string
}

/** What the server says of a text; of an earlier one while it looks at a newer. */
export function useServerCheck(text: string, allowed: boolean): ServerCheck | undefined {
  const [asked] = useDebouncedValue(text, delay)
  const check = useQuery<ServerCheck, ApiFailure>({
    queryKey: [validateJobTemplate.id, asked],
    queryFn: async ({ signal }) => ({
      ...(await call(validateJobTemplate, { body: { yaml_content: asked }, signal })),
      text: asked,
    }),
    enabled: allowed && asked.trim() !== '',
    placeholderData: keepPreviousData,
    gcTime: 60_000,
  })
  return check.data
}
