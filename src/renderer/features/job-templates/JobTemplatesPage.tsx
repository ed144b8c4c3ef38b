import { Button } from '@mantine/core'
import { IconPlus, IconSitemap } from '@tabler/icons-react'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { Link, useNavigate } from 'react-router'
import { type JobTemplate, listJobTemplates } from '../../../contract/job-templates.ts'
import { useList } from '../../api/queries.ts'
import { useSession } from '../../api/session.ts'
import { useCommands } from '../../commands/commands.ts'
import { paths } from '../../paths.ts'
import { CommandButton } from '../../ui/CommandButton.tsx'
import { DataTable } from '../../ui/DataTable.tsx'
import { Page } from '../../ui/Page.tsx'
import { DocumentEmpty } from '../../ui/document/DocumentEmpty.tsx'
import { DocumentToolbar } from '../../ui/document/DocumentToolbar.tsx'
import { ExportSelection, useExportSelection } from '../../ui/document/ExportSelection.tsx'
import { useDocumentColumns } from '../../ui/document/use-document-columns.tsx'
import { useDocumentList } from '../../ui/document/use-document-list.ts'
import { listProps } from '../../ui/list-props.ts'
import type { TableColumn } from '../../ui/table.types.ts'
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

const keyOf = (template: JobTemplate) => template.id
const hrefOf = (template: JobTemplate) => paths.jobTemplate(template.id)

/** All job templates, searched, sorted and narrowed by the address. */
export function JobTemplatesPage() {
  const { t } = useTranslation('jobTemplates')
  const { t: doc } = useTranslation('documents')
  const { can } = useSession()
  const navigate = useNavigate()
  const address = useDocumentList()
  const selection = useExportSelection()
  const { archived, query, set, sort, onSort } = address
  const list = useList(listJobTemplates, { query }, { keepPrevious: true })
  const columns = useDocumentColumns(useOwnColumns(), (tag) => set({ tag }))
  useCommands([
    {
      id: 'job-templates.archived',
      title: doc('list.archivedOnly'),
      run: () => set({ archived: archived ? null : 'true' }),
    },
  ])
  return (
    <Page
      title={t('title')}
      layout="fill"
      actions={
        <>
          <ExportSelection kind="job-template" selection={selection} />
          {can('createJobTemplate') ? (
            <CommandButton
              id="job-templates.new"
              label={t('list.newTemplate')}
              icon={IconPlus}
              onClick={() => void navigate(paths.jobTemplateNew())}
              shortcut="c"
            />
          ) : null}
        </>
      }
      toolbar={
        <DocumentToolbar
          address={address}
          searchLabel={t('list.search')}
          total={
            list.total === undefined ? null : t('list.total', { count: list.total, formatted: numberText(list.total) })
          }
        />
      }
    >
      <DataTable
        id="job-templates"
        rows={list.rows}
        columns={columns}
        rowKey={keyOf}
        rowHref={hrefOf}
        selection={selection}
        label={t('list.label')}
        sort={sort}
        onSort={onSort}
        {...listProps(list)}
        isMuted={(template) => template.archived === 1}
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
