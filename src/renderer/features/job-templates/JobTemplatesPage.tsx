import { IconSitemap } from '@tabler/icons-react'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import {
  type JobTemplate,
  archiveJobTemplate,
  listJobTemplates,
  restoreJobTemplate,
  tagJobTemplate,
} from '../../../contract/job-templates.ts'
import { call } from '../../api/client.ts'
import { useList } from '../../api/queries.ts'
import { useSession } from '../../api/session.ts'
import { paths } from '../../paths.ts'
import { DocumentListPage } from '../../ui/document/DocumentListPage.tsx'
import { useDocumentActions } from '../../ui/document/use-document-actions.ts'
import { useDocumentList } from '../../ui/document/use-document-list.ts'
import { numberText } from '../../ui/format.ts'
import type { TableColumn } from '../../ui/table.types.ts'

function useOwnColumns() {
  const { t } = useTranslation('jobTemplates')
  return useMemo(
    (): TableColumn<JobTemplate>[] => [
      {
        id: 'tasks',
        header: t('list.columns.tasks'),
        width: 88,
        align: 'right',
        cell: (template) => numberText(template.task_count),
      },
      {
        id: 'jobs',
        header: t('list.columns.jobs'),
        width: 72,
        align: 'right',
        cell: (template) => numberText(template.job_count),
      },
    ],
    [t],
  )
}

const hrefOf = (template: { id: number }) => paths.jobTemplate(template.id)
const changes = {
  kind: 'job-template',
  tagging: 'tagJobTemplate',
  archiving: 'archiveJobTemplate',
  tag: (id, body) => call(tagJobTemplate, { params: { id }, body }),
  archive: (id) => call(archiveJobTemplate, { params: { id } }),
  restore: (id) => call(restoreJobTemplate, { params: { id } }),
  hrefOf,
} satisfies Parameters<typeof useDocumentActions>[0]
const invalidates = ['listJobTemplates', 'getJobTemplate'] as const

/** All job templates, searched, sorted and narrowed by the address. */
export function JobTemplatesPage() {
  const { can } = useSession()
  const { address, query } = useDocumentList()
  const list = useList(listJobTemplates, { query }, { keepPrevious: true })
  const columns = useOwnColumns()
  const actions = useDocumentActions<JobTemplate>(changes)
  return (
    <DocumentListPage
      id="job-templates"
      words="jobTemplates"
      icon={IconSitemap}
      newPath={can('createJobTemplate') ? paths.jobTemplateNew() : null}
      list={list}
      address={address}
      columns={columns}
      hrefOf={hrefOf}
      actions={actions}
      invalidates={invalidates}
    />
  )
}
