import { Button } from '@mantine/core'
import { IconLayoutGrid, IconPlus } from '@tabler/icons-react'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { Link, useNavigate } from 'react-router'
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
import { CommandButton } from '../../ui/CommandButton.tsx'
import { Page } from '../../ui/Page.tsx'
import { DocumentEmpty } from '../../ui/document/DocumentEmpty.tsx'
import { DocumentList } from '../../ui/document/DocumentList.tsx'
import { exportPath } from '../../ui/document/export-path.ts'
import { useDocumentList } from '../../ui/document/use-document-list.ts'
import { numberText } from '../../ui/format.ts'
import type { TableColumn } from '../../ui/table.types.ts'
import { archiveActions, exportAction, linkAction, tagAction } from '../../ui/work-list/common-actions.tsx'
import type { ListAction } from '../../ui/work-list/work-list.types.ts'

type DashboardTemplate = ResultOf<typeof listDashboardTemplates>['result'][number]

function useOwnColumns() {
  const { t } = useTranslation('dashboardTemplates')
  return useMemo(
    (): TableColumn<DashboardTemplate>[] => [
      {
        id: 'job_template',
        header: t('list.columns.jobTemplate'),
        minWidth: 140,
        cell: ({ job_template_id, job_template_name }) =>
          job_template_id === null ? (
            <span title={t('list.noJobTemplate', { name: job_template_name })}>{job_template_name}</span>
          ) : (
            <Link to={paths.jobTemplate(job_template_id)}>{job_template_name}</Link>
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

const isArchived = (template: DashboardTemplate) => template.archived === 1

function useActions(): ListAction<DashboardTemplate>[] {
  const { t } = useTranslation('lists')
  const { can } = useSession()
  const navigate = useNavigate()
  return useMemo(
    () => [
      ...(can('tagDashboardTemplate')
        ? [tagAction<DashboardTemplate>(t, (id, body) => call(tagDashboardTemplate, { params: { id }, body }))]
        : []),
      ...(can('archiveDashboardTemplate')
        ? archiveActions<DashboardTemplate>(t, {
            isArchived,
            archive: (id) => call(archiveDashboardTemplate, { params: { id } }),
            restore: (id) => call(restoreDashboardTemplate, { params: { id } }),
          })
        : []),
      ...(can('exportBundle')
        ? [exportAction<DashboardTemplate>(t, navigate, (ids) => exportPath('dashboard-template', ids))]
        : []),
      linkAction<DashboardTemplate>(t, hrefOf),
    ],
    [t, can, navigate],
  )
}

const hrefOf = (template: { id: number }) => paths.dashboardTemplate(template.id)
const invalidates = ['listDashboardTemplates', 'getDashboardTemplate'] as const

/** All dashboard templates, searched, sorted and narrowed by the address. */
export function DashboardTemplatesPage() {
  const { t } = useTranslation('dashboardTemplates')
  const { can } = useSession()
  const navigate = useNavigate()
  const { address, query } = useDocumentList()
  const list = useList(listDashboardTemplates, { query }, { keepPrevious: true })
  const columns = useOwnColumns()
  const actions = useActions()
  const { total } = list
  return (
    <Page
      title={t('title')}
      layout="fill"
      actions={
        can('createDashboardTemplate') ? (
          <CommandButton
            id="dashboard-templates.new"
            label={t('list.newTemplate')}
            icon={IconPlus}
            onClick={() => void navigate(paths.dashboardTemplateNew())}
            shortcut="c"
          />
        ) : null
      }
    >
      <DocumentList
        id="dashboard-templates"
        words={{
          label: t('list.label'),
          search: t('list.search'),
          total: total === undefined ? null : t('list.total', { count: total, formatted: numberText(total) }),
        }}
        list={list}
        address={address}
        columns={columns}
        hrefOf={hrefOf}
        actions={actions}
        invalidates={invalidates}
        empty={
          <DocumentEmpty
            address={address}
            icon={IconLayoutGrid}
            none={{ title: t('list.emptyTitle'), text: t('list.emptyText') }}
            noneMatches={{ title: t('list.filteredTitle'), text: t('list.filteredText') }}
            archivedText={t('list.archivedEmptyText')}
            action={
              can('createDashboardTemplate') ? (
                <Button component={Link} to={paths.dashboardTemplateNew()} leftSection={<IconPlus size={14} />}>
                  {t('list.newTemplate')}
                </Button>
              ) : undefined
            }
          />
        }
      />
    </Page>
  )
}
