import { IconPlus } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { useParams, useSearchParams } from 'react-router'
import type { JobTemplateDetail } from '../../../contract/job-templates.ts'
import { useSession } from '../../api/session.ts'
import { paths } from '../../paths.ts'
import { DocumentPage, DocumentWorkspace } from '../../ui/document/DocumentPage.tsx'
import { useDocument } from '../../ui/document/use-document.ts'
import { MakeJobDialog } from './MakeJobDialog.tsx'
import { TemplateEditor } from './TemplateEditor.tsx'
import { TemplateJobsPane } from './TemplateJobsPane.tsx'
import { jobTemplateKind } from './job-template-kind.ts'

function useTabs(id: number) {
  const { t } = useTranslation('jobTemplates')
  return [{ id: 'jobs', label: t('tabs.jobs'), to: paths.jobTemplateJobs(id) }]
}

function Workspace({ record: template, tab }: { record: JobTemplateDetail; tab: string }) {
  const { t } = useTranslation('jobTemplates')
  const { can } = useSession()
  const [search] = useSearchParams()
  const document = useDocument(jobTemplateKind, template, can('createJob') && template.archived === 0)
  const { editor, text, readOnly, mayStart, dialog, askSave, askStart, close } = document
  const { id, job_count } = template
  const count = job_count > 0 ? { count: job_count } : {}
  const tabs = useTabs(id).map((one) => ({ ...one, ...count }))
  return (
    <DocumentWorkspace
      document={document}
      tab={tab}
      tabs={tabs}
      start={{ id: 'job-template.make-job', label: t('page.makeJob'), icon: IconPlus }}
      editor={
        <TemplateEditor
          ref={editor}
          text={text}
          readOnly={readOnly}
          onSave={askSave}
          onStart={askStart}
          shown={search.get('node')}
        />
      }
    >
      {tab === 'jobs' ? <TemplateJobsPane templateId={id} onMake={mayStart ? askStart : undefined} /> : null}
      <MakeJobDialog
        opened={dialog === 'start'}
        onClose={close}
        template={template}
        yaml={text.saved}
        version={text.version}
        onSaveFirst={text.dirty ? askSave : null}
      />
    </DocumentWorkspace>
  )
}

/** A job template: its text with its graph, its versions, the jobs made from it. */
export function JobTemplatePage() {
  const tabs = useTabs(Number(useParams()['id']))
  return <DocumentPage kind={jobTemplateKind} tabs={tabs} Workspace={Workspace} />
}
