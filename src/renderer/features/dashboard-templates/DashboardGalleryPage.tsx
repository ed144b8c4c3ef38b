import { Select } from '@mantine/core'
import { IconArrowRight } from '@tabler/icons-react'
import { useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { getJobTemplate, listJobTemplates } from '../../../contract/job-templates.ts'
import { useOperation } from '../../api/queries.ts'
import { galleryTexts, useInLanguage } from '../../i18n/server-texts.ts'
import { paths } from '../../paths.ts'
import { CommandButton } from '../../ui/CommandButton.tsx'
import { FirstStepButton } from '../../ui/first-step/FirstStep.tsx'
import { useFirstStep } from '../../ui/first-step/use-first-step.ts'
import { GalleryList } from '../../ui/GalleryList.tsx'
import { SplitPane } from '../../ui/SplitPane.tsx'
import { YamlEditor } from '../../ui/code/YamlEditor.tsx'
import dialogs from '../../ui/document/dialogs.module.css'
import { LoadFailure } from '../../ui/LoadFailure.tsx'
import { NewDocumentPage } from '../../ui/document/NewDocumentPage.tsx'
import { useAddress } from '../../ui/use-address.ts'
import { readTemplate } from '../job-templates/template-reader.ts'
import gallery from '../tasks/gallery.module.css'
import { LivePane } from './LivePane.tsx'
import { dashboardLanguage } from './dashboard-language.ts'
import { type GalleryDashboard, fittedTo, galleryDashboards } from './dashboard-gallery.ts'
import { readDashboard } from './dashboard-reader.ts'
import classes from './dashboard-templates.module.css'
import { useLiveData } from './use-live-data.ts'
import { usePreviewJob } from './use-preview-job.ts'

/** The job templates that an example can be fitted to, and the example as it is for the chosen one. */
function useFitted(yaml: string, id: string | null) {
  const list = useOperation(listJobTemplates, { query: { limit: 200, sort: 'name', order: 'asc' } })
  const templates = list.data?.result ?? []
  const chosen = templates.find((one) => String(one.id) === id) ?? templates[0]
  const detail = useOperation(getJobTemplate, { params: { id: chosen?.id ?? 0 } }, { enabled: chosen !== undefined })
  const { data } = detail
  const fitted = useMemo(() => {
    if (!data) return yaml
    const { connector_refs: connectors, parameters, nodes } = readTemplate(data.yaml_content)
    return fittedTo(yaml, data.name, { archived: false, connectors, parameters, tasks: nodes.map(({ key }) => key) })
  }, [yaml, data])
  const failed = list.error ?? detail.error
  return {
    templates,
    chosen,
    fitted,
    failed,
    retry: () => void (list.isError ? list : detail).refetch(),
    isLoading: failed === null && (list.isPending || (chosen !== undefined && !data)),
  }
}

interface PreviewProps {
  dashboard: GalleryDashboard
  fitting: ReturnType<typeof useFitted>
  onUse(): void
}

/** One ready dashboard: which job template it is for, what it looks like, its text. */
function DashboardPreview({ dashboard, fitting, onUse }: PreviewProps) {
  const { t } = useTranslation('dashboardTemplates')
  const [, set] = useAddress()
  const { templates, chosen, fitted, isLoading, failed, retry } = fitting
  const { t: tLists } = useTranslation('lists')
  const needsJobTemplate = !isLoading && failed === null && templates.length === 0
  const lacks = useFirstStep('dashboardTemplate')
  const [selected, setSelected] = useState<string | null>(null)
  const valid = useMemo(() => {
    const { dashboard: document } = readDashboard(fitted)
    return document && { yaml: fitted, document }
  }, [fitted])
  const name = valid?.document.job_template ?? ''
  // Its queries are of tables that may not be there: with them it is a layout.
  const asksNothing = valid !== null && Object.values(valid.document.data).every(({ kind }) => kind !== 'query')
  const preview = usePreviewJob(asksNothing ? name : null)
  const data = useLiveData(valid, preview.job?.id ?? null)
  return (
    <section className={gallery.pane} aria-label={dashboard.title}>
      <header className={gallery.head}>
        <h2>{dashboard.title}</h2>
        <CommandButton
          id="gallery.use"
          label={t('new.use')}
          rightSection={<IconArrowRight size={14} />}
          disabled={isLoading}
          variant={needsJobTemplate ? 'default' : undefined}
          onClick={onUse}
          shortcut="mod+Enter"
        />
      </header>
      {failed ? <LoadFailure text={t('new.templatesFailed', { name })} error={failed} onRetry={retry} /> : null}
      {needsJobTemplate ? (
        <div className={classes.fit}>
          <span className={dialogs.muted}>
            {t('new.noJobTemplate')} {lacks ? tLists(`first.${lacks}.text`) : null}
          </span>
          {lacks ? <FirstStepButton step={lacks} /> : null}
        </div>
      ) : null}
      <div className={classes.halves}>
        <div className={classes.galleryBoard} data-live={data !== null || undefined}>
          <LivePane
            valid={valid}
            lead={
              failed !== null || needsJobTemplate ? undefined : (
                <Select
                  label={t('new.jobTemplate')}
                  w={260}
                  searchable
                  allowDeselect={false}
                  data={templates.map(({ id, name }) => ({ value: String(id), label: name }))}
                  value={chosen ? String(chosen.id) : null}
                  onChange={(id) => set({ for: id })}
                />
              )
            }
            isStale={false}
            unread={false}
            data={data}
            selected={selected}
            onSelect={setSelected}
          />
        </div>
        <div className={classes.galleryCode}>
          <YamlEditor
            value={fitted}
            readOnly
            language={dashboardLanguage}
            label={t('new.yaml', { title: dashboard.title })}
          />
        </div>
      </div>
    </section>
  )
}

/** Ready dashboards: looked at here, taken as a new draft for a job template. */
export function DashboardGalleryPage() {
  const { t } = useTranslation('dashboardTemplates')
  const [search, set] = useAddress()
  const dashboards = useInLanguage(galleryDashboards(), galleryTexts)
  const chosen = dashboards.find((one) => one.id === search.get('show')) ?? dashboards[0]
  const fitting = useFitted(chosen?.yaml ?? '', search.get('for'))
  return (
    <NewDocumentPage
      name="dashboard-template"
      title={t('new.title')}
      list={{ label: t('title'), to: paths.dashboardTemplates() }}
      draftText={t('new.draftText')}
      addressOf={paths.dashboardTemplateNew}
    >
      {(begin) => (
        <SplitPane id="dashboard-template.gallery" direction="horizontal" initial={0.26} minSize={240}>
          <div className={gallery.pane}>
            <GalleryList
              label={t('new.gallery')}
              groups={[{ id: 'ready', label: t('new.galleryGroup'), items: dashboards }]}
              chosen={chosen?.id ?? null}
              onChoose={(id) => set({ show: id })}
              onUse={(id) => !fitting.isLoading && begin(id, fitting.fitted)}
            />
          </div>
          {chosen ? (
            <DashboardPreview
              key={chosen.id}
              dashboard={chosen}
              fitting={fitting}
              onUse={() => begin(chosen.id, fitting.fitted)}
            />
          ) : (
            <div />
          )}
        </SplitPane>
      )}
    </NewDocumentPage>
  )
}
