import { Button, Skeleton } from '@mantine/core'
import { IconSitemap } from '@tabler/icons-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { getJobTemplate, listJobTemplates } from '../../../contract/job-templates.ts'
import { useOperation } from '../../api/queries.ts'
import { paths } from '../../paths.ts'
import { Cut } from '../../ui/Cut.tsx'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { ErrorState } from '../../ui/ErrorState.tsx'
import { FirstStepButton } from '../../ui/first-step/FirstStep.tsx'
import { useFirstStep } from '../../ui/first-step/use-first-step.ts'
import { FormDialog } from '../../ui/FormDialog.tsx'
import { MakeJobForm } from '../job-templates/MakeJobDialog.tsx'
import { TemplateChoice } from './TemplateChoice.tsx'
import classes from './jobs.module.css'

/** It comes when the dialog has already given the focus away. */
const takeFocus = (place: HTMLElement | null) => place?.querySelector('a')?.focus()

interface NewJobProps {
  /** The template that the list is narrowed to. */
  templateId: number | undefined
  onClose(): void
}

function NewJob({ templateId, onClose }: NewJobProps) {
  const { t } = useTranslation('jobs')
  const { t: ofTemplates } = useTranslation('jobTemplates')
  const { t: tLists } = useTranslation('lists')
  const lacks = useFirstStep('job')
  // null: another one is to be chosen.
  const [picked, pick] = useState<number | null | undefined>(templateId)
  const templates = useOperation(listJobTemplates, { query: { limit: 2 } })
  const { result: [only] = [], total } = templates.data ?? {}
  const chosen = picked === undefined && total === 1 ? only?.id : (picked ?? undefined)
  const template = useOperation(getJobTemplate, { params: { id: chosen ?? 0 } }, { enabled: chosen !== undefined })
  // Nothing could be chosen.
  if (total === 0) {
    return (
      <EmptyState
        compact
        icon={IconSitemap}
        title={ofTemplates('list.emptyTitle')}
        text={`${t('new.noTemplates')} ${lacks ? tLists(`first.${lacks}.text`) : ''}`}
        action={
          <>
            <Button component={Link} to={paths.docs('jobs')} variant="default">
              {t('new.read')}
            </Button>
            {lacks ? (
              <span ref={takeFocus}>
                <FirstStepButton step={lacks} />
              </span>
            ) : null}
          </>
        }
      />
    )
  }
  if (templates.error && !templates.data)
    return (
      <ErrorState
        what="job-templates"
        compact
        takesFocus
        error={templates.error}
        onRetry={() => void templates.refetch()}
      />
    )
  if (templates.isPending) return <Skeleton height={160} />
  if (chosen === undefined) return <TemplateChoice onChoose={pick} onClose={onClose} />
  return (
    <>
      {template.data ? (
        <div className={classes.chosen}>
          <span>{t('new.template')}</span>
          <b>
            <Cut text={template.data.name} />
          </b>
          <Button size="compact-xs" variant="default" onClick={() => pick(null)}>
            {t('new.other')}
          </Button>
        </div>
      ) : null}
      {template.data ? (
        <MakeJobForm
          key={chosen}
          template={template.data}
          yaml={template.data.yaml_content}
          version={template.data.current_version}
          onSaveFirst={null}
          onClose={onClose}
        />
      ) : template.error ? (
        <ErrorState
          what="job-template"
          compact
          takesFocus
          error={template.error}
          onRetry={() => void template.refetch()}
        />
      ) : (
        <Skeleton height={120} />
      )}
    </>
  )
}

/** First the template, then what a job of it takes. */
export function NewJobDialog({ opened, ...props }: NewJobProps & { opened: boolean }) {
  const { t } = useTranslation('jobs')
  return (
    <FormDialog opened={opened} onClose={props.onClose} size={620} title={t('new.title')}>
      <NewJob {...props} />
    </FormDialog>
  )
}
