import { Button } from '@mantine/core'
import { IconPlus, IconSitemap } from '@tabler/icons-react'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { Link, useNavigate } from 'react-router'
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
import { CommandButton } from '../../ui/CommandButton.tsx'
import { Page } from '../../ui/Page.tsx'
import { DocumentEmpty } from '../../ui/document/DocumentEmpty.tsx'
import { DocumentList } from '../../ui/document/DocumentList.tsx'
import { exportPath } from '../../ui/document/export-path.ts'
import { useDocumentList } from '../../ui/document/use-document-list.ts'
import type { TableColumn } from '../../ui/table.types.ts'
import { archiveActions, exportAction, linkAction, tagAction } from '../../ui/work-list/common-actions.tsx'
import type { ListAction } from '../../ui/work-list/work-list.types.ts'
import { numberText } from '../../ui/format.ts'

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

const isArchived = (template: JobTemplate) => template.archived === 1

function useActions(): ListAction<JobTemplate>[] {
  const { t } = useTranslation('lists')
  const { can } = useSession()
  const navigate = useNavigate()
  return useMemo(
    () => [
      ...(can('tagJobTemplate')
        ? [tagAction<JobTemplate>(t, (id, body) => call(tagJobTemplate, { params: { id }, body }))]
        : []),
      ...(can('archiveJobTemplate')
        ? archiveActions<JobTemplate>(t, {
            isArchived,
            archive: (id) => call(archiveJobTemplate, { params: { id } }),
            restore: (id) => call(restoreJobTemplate, { params: { id } }),
          })
        : []),
      ...(can('exportBundle')
        ? [exportAction<JobTemplate>(t, navigate, (ids) => exportPath('job-template', ids))]
        : []),
      linkAction<JobTemplate>(t, hrefOf),
    ],
    [t, can, navigate],
  )
}

const hrefOf = (template: { id: number }) => paths.jobTemplate(template.id)
const invalidates = ['listJobTemplates', 'getJobTemplate'] as const

/** All job templates, searched, sorted and narrowed by the address. */
export function JobTemplatesPage() {
  const { t } = useTranslation('jobTemplates')
  const { can } = useSession()
  const navigate = useNavigate()
  const { address, query } = useDocumentList()
  const list = useList(listJobTemplates, { query }, { keepPrevious: true })
  const columns = useOwnColumns()
  const actions = useActions()
  const { total } = list
  return (
    <Page
      title={t('title')}
      layout="fill"
      actions={
        can('createJobTemplate') ? (
          <CommandButton
            id="job-templates.new"
            label={t('list.newTemplate')}
            icon={IconPlus}
            onClick={() => void navigate(paths.jobTemplateNew())}
            shortcut="c"
          />
        ) : null
      }
    >
      <DocumentList
        id="job-templates"
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
            icon={IconSitemap}
            none={{ title: t('list.emptyTitle'), text: t('list.emptyText') }}
            noneMatches={{ title: t('list.filteredTitle'), text: t('list.filteredText') }}
            archivedText={t('list.archivedEmptyText')}
            action={
              can('createJobTemplate') ? (
                <Button component={Link} to={paths.jobTemplateNew()} leftSection={<IconPlus size={14} />}>
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
