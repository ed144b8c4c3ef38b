import { Skeleton } from '@mantine/core'
import { IconBriefcase } from '@tabler/icons-react'
import { useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useNavigate, useParams, useSearchParams } from 'react-router'
import { type JobTemplateDetail, getJobTemplate } from '../../../contract/job-templates.ts'
import { useOperation } from '../../api/queries.ts'
import { useSession } from '../../api/session.ts'
import { useOpened } from '../../commands/open/recent.ts'
import { paths } from '../../paths.ts'
import { CommandButton } from '../../ui/CommandButton.tsx'
import { ErrorState } from '../../ui/ErrorState.tsx'
import { Page } from '../../ui/Page.tsx'
import { StatusBadge } from '../../ui/StatusBadge.tsx'
import { DocumentMenu } from '../../ui/document/DocumentMenu.tsx'
import { DocumentNotices } from '../../ui/document/DocumentNotices.tsx'
import { LeaveGuard } from '../../ui/document/LeaveGuard.tsx'
import { SaveButton } from '../../ui/document/SaveButton.tsx'
import { SaveDialog } from '../../ui/document/SaveDialog.tsx'
import { VersionsPane } from '../../ui/document/VersionsPane.tsx'
import classes from '../../ui/document/dialogs.module.css'
import type { DocumentRecord } from '../../ui/document/document.types.ts'
import { useAskSave } from '../../ui/document/use-ask-save.ts'
import { useBaseRecord } from '../../ui/document/use-base-record.ts'
import { useDocumentText } from '../../ui/document/use-document-text.ts'
import { useSaveDocument } from '../../ui/document/use-save-document.ts'
import { MakeJobDialog } from './MakeJobDialog.tsx'
import { TemplateEditor, type TemplateEditorHandle } from './TemplateEditor.tsx'
import { TemplateJobsPane } from './TemplateJobsPane.tsx'
import { jobTemplateKind } from './job-template-kind.ts'
import { templateReader } from './template-reader.ts'

const tabs = ['editor', 'versions', 'jobs'] as const
type Tab = (typeof tabs)[number]
type Dialog = 'save' | 'make' | null

function Workspace({ template, tab }: { template: JobTemplateDetail; tab: Tab }) {
  const { t } = useTranslation('jobTemplates')
  const { t: doc } = useTranslation('documents')
  const { can } = useSession()
  const navigate = useNavigate()
  const [search] = useSearchParams()
  const editor = useRef<TemplateEditorHandle>(null)
  const { id } = template
  const text = useDocumentText(`job-template.${id}`, template.yaml_content, template.current_version, templateReader)
  const readOnly = !can('updateJobTemplate')
  const archived = template.archived === 1
  const mayMake = can('createJob') && !archived
  const [dialog, setDialog] = useState<Dialog>(null)
  const askSave = useAskSave({
    text,
    read: (now) => editor.current?.check(now) ?? templateReader.read(now),
    readOnly,
    errorsText: (count) => t('page.errors', { count }),
    showProblems: () => editor.current?.showProblems(),
    open: () => setDialog('save'),
  })
  const askMake = () => {
    if (mayMake) setDialog('make')
  }
  const { base, newer, take } = useBaseRecord<DocumentRecord>(template, text, dialog === 'save')
  const state = useSaveDocument(jobTemplateKind, { record: base, savedText: text.saved, version: text.version })
  const close = () => {
    setDialog(null)
    state.clear()
  }
  const onTaken = (saved: DocumentRecord) => {
    take(saved)
    close()
  }
  const compare = async () => {
    await state.compare()
    setDialog('save')
  }
  const links = {
    editor: paths.jobTemplate(id),
    versions: paths.jobTemplateVersions(id),
    jobs: paths.jobTemplateJobs(id),
  }
  return (
    <Page
      title={template.name}
      crumbs={[{ label: t('title'), to: paths.jobTemplates() }]}
      badge={
        <>
          <span className={classes.version}>{doc('page.version', { version: text.version })}</span>
          {archived ? <StatusBadge status="archived" size="md" /> : null}
          {text.dirty ? <span className={classes.unsaved}>{doc('page.unsaved')}</span> : null}
        </>
      }
      subtitle={template.description}
      actions={
        <>
          {readOnly ? null : <SaveButton kind="job-template" dirty={text.dirty} onSave={askSave} />}
          {mayMake ? (
            <CommandButton
              id="job-template.make-job"
              label={t('page.makeJob')}
              icon={IconBriefcase}
              onClick={askMake}
              shortcut="mod+Enter"
            />
          ) : null}
          <DocumentMenu
            kind={jobTemplateKind}
            record={template}
            text={text.text}
            archiveText={t('page.archiveText')}
            onDuplicate={() => void navigate(paths.jobTemplateNew({ sample: 'copy' }), { state: { yaml: text.text } })}
          />
        </>
      }
      tabs={tabs.map((one) => ({
        label: t(`tabs.${one}`),
        to: links[one],
        active: one === tab,
        ...(one === 'jobs' && template.job_count > 0 ? { count: template.job_count } : {}),
      }))}
      layout="fill"
    >
      <LeaveGuard dirty={text.dirty} unkept={text.unkept} within={paths.jobTemplate(id)} />
      <DocumentNotices
        text={text}
        newer={newer}
        notice={archived ? t('page.archivedNotice') : readOnly ? t('page.readOnly') : null}
        onCompare={() => void compare()}
        onTake={() => take(template)}
      />
      <div className={tab === 'editor' ? classes.pane : classes.hidden}>
        <TemplateEditor
          ref={editor}
          text={text}
          readOnly={readOnly}
          onSave={askSave}
          onMake={askMake}
          shown={search.get('node')}
        />
      </div>
      {tab === 'versions' ? (
        <VersionsPane kind={jobTemplateKind} record={template} onRestored={(saved) => !text.dirty && take(saved)} />
      ) : null}
      {tab === 'jobs' ? <TemplateJobsPane templateId={id} onMake={mayMake ? askMake : undefined} /> : null}
      <SaveDialog
        opened={dialog === 'save'}
        onClose={close}
        name={template.name}
        before={text.saved}
        version={text.version}
        text={text.text}
        state={state}
        onSaved={onTaken}
        onTheirs={(conflict) => onTaken(conflict.record)}
        onText={text.setText}
      />
      <MakeJobDialog
        opened={dialog === 'make'}
        onClose={close}
        template={template}
        yaml={text.saved}
        version={text.version}
        onSaveFirst={text.dirty ? askSave : null}
      />
    </Page>
  )
}

/** A job template: its text with its graph, its versions, the jobs made from it. */
export function JobTemplatePage() {
  const { t } = useTranslation('jobTemplates')
  const { id: text, tab } = useParams()
  const id = Number(text)
  const template = useOperation(getJobTemplate, { params: { id } })
  useOpened({
    kind: 'jobTemplate',
    id,
    title: template.data?.name,
    to: paths.jobTemplate(id),
    gone: template.error?.status === 404,
  })
  if (template.data) {
    return (
      <Workspace key={template.data.id} template={template.data} tab={tabs.find((one) => one === tab) ?? 'editor'} />
    )
  }
  return (
    <Page title={`#${text ?? ''}`} crumbs={[{ label: t('title'), to: paths.jobTemplates() }]} layout="fill">
      {template.error ? (
        <ErrorState error={template.error} onRetry={() => void template.refetch()} />
      ) : (
        <Skeleton height={34} radius={0} />
      )}
    </Page>
  )
}
