import { useTranslation } from 'react-i18next'
import { getJobTemplate, listJobTemplates } from '../../../contract/job-templates.ts'
import { RecordFilter } from '../../ui/RecordFilter.tsx'

export interface TemplateFilterProps {
  value: number | undefined
  onChange(id: number | null): void
  /** A form has a field of its full width; a toolbar has a filter. */
  field?: { placeholder: string }
}

/** Chooses a job template by name. */
export function TemplateFilter({ value, onChange, field }: TemplateFilterProps) {
  const { t } = useTranslation('jobs')
  return (
    <RecordFilter
      get={getJobTemplate}
      list={listJobTemplates}
      label={t('list.template')}
      placeholder={field?.placeholder ?? t('list.anyTemplate')}
      nothingFound={t('list.noTemplate')}
      value={value}
      onChange={onChange}
      width={field ? '100%' : 200}
      first={field !== undefined && value === undefined}
    />
  )
}
