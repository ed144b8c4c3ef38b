import { IconLayoutGrid } from '@tabler/icons-react'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import {
  archiveDashboardTemplate,
  listDashboardTemplates,
  restoreDashboardTemplate,
  tagDashboardTemplate,
} from '../../../contract/dashboard-templates.ts'
import type { ResultOf } from '../../../contract/operation.ts'
import { call } from '../../api/client.ts'
import { useList } from '../../api/queries.ts'
import { useSession } from '../../api/session.ts'
import { paths } from '../../paths.ts'
import { Cut } from '../../ui/Cut.tsx'
import { DocumentListPage } from '../../ui/document/DocumentListPage.tsx'
import { useDocumentActions } from '../../ui/document/use-document-actions.ts'
import { useDocumentList } from '../../ui/document/use-document-list.ts'
import { numberText } from '../../ui/format.ts'
import type { TableColumn } from '../../ui/table.types.ts'

type DashboardTemplate = ResultOf<typeof listDashboardTemplates>['result'][number]

function useOwnColumns() {
  const { t } = useTranslation('dashboardTemplates')
  return useMemo(
    (): TableColumn<DashboardTemplate>[] => [
      {
        id: 'job_template',
        header: t('list.columns.jobTemplate'),
        minWidth: 120,
        cell: ({ job_template_id, job_template_name }) =>
          job_template_id === null ? (
            <span title={t('list.noJobTemplate', { name: job_template_name })}>
              <Cut text={job_template_name} />
            </span>
          ) : (
            <Link to={paths.jobTemplate(job_template_id)}>
              <Cut text={job_template_name} />
            </Link>
          ),
      },
      {
        id: 'widgets',
        header: t('list.columns.widgets'),
        width: 80,
        align: 'right',
        cell: (template) => numberText(template.widget_count),
      },
    ],
    [t],
  )
}

const hrefOf = (template: { id: number }) => paths.dashboardTemplate(template.id)
const changes = {
  kind: 'dashboard-template',
  tagging: 'tagDashboardTemplate',
  archiving: 'archiveDashboardTemplate',
  tag: (id, body) => call(tagDashboardTemplate, { params: { id }, body }),
  archive: (id) => call(archiveDashboardTemplate, { params: { id } }),
  restore: (id) => call(restoreDashboardTemplate, { params: { id } }),
  hrefOf,
} satisfies Parameters<typeof useDocumentActions>[0]
const invalidates = ['listDashboardTemplates', 'getDashboardTemplate'] as const

/** All dashboard templates, searched, sorted and narrowed by the address. */
export function DashboardTemplatesPage() {
  const { can } = useSession()
  const { address, query } = useDocumentList()
  const list = useList(listDashboardTemplates, { query }, { keepPrevious: true })
  const columns = useOwnColumns()
  const actions = useDocumentActions<DashboardTemplate>(changes)
  return (
    <DocumentListPage
      id="dashboard-templates"
      words="dashboardTemplates"
      icon={IconLayoutGrid}
      newPath={can('createDashboardTemplate') ? paths.dashboardTemplateNew() : null}
      list={list}
      address={address}
      columns={columns}
      hrefOf={hrefOf}
      actions={actions}
      invalidates={invalidates}
    />
  )
}
