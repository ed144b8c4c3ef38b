import { notifications } from '@mantine/notifications'
import { useTranslation } from 'react-i18next'
import { useLocation, useNavigate } from 'react-router'
import { MAX_BUNDLE_BYTES } from '../../../contract/exchange.ts'
import {
  createDashboardTemplate,
  getDashboardTemplate,
  updateDashboardTemplate,
} from '../../../contract/dashboard-templates.ts'
import { createJobTemplate, getJobTemplate, updateJobTemplate } from '../../../contract/job-templates.ts'
import { createTask, getTask, updateTask } from '../../../contract/tasks.ts'
import type { DocumentLanguage } from '../../../language/document-kind.ts'
import { readYaml } from '../../../language/yaml/read-yaml.ts'
import { entryOf } from '../../../language/yaml/yaml-tree.ts'
import { call } from '../../api/client.ts'
import { findByName } from '../../api/find-by-name.ts'
import { useSession } from '../../api/session.ts'
import { paths } from '../../paths.ts'
import { type DraftKey, browserStore, recallDraft } from '../../ui/document/draft.ts'
import { handedTexts } from '../../ui/document/handed-text.ts'
import { handedBundles } from '../exchange/handed-bundle.ts'
import { type IncomingFile, wholeFile } from './incoming.store.ts'
import type { Opening, Sniffed } from './opening.ts'
import { readHead } from './text-sniff.rules.ts'

/** What the server takes as one text. */
const longestText = 1_048_576

/** How the documents of each language are opened. */
const kinds = {
  task: {
    name: 'task',
    record: 'task',
    get: getTask,
    create: createTask,
    update: updateTask,
    path: (id: number) => paths.task(id),
    createPath: paths.taskNew,
    refused: 'no-task',
    replace: 'replace.newTask',
  },
  job: {
    name: 'job-template',
    record: 'job_template',
    get: getJobTemplate,
    create: createJobTemplate,
    update: updateJobTemplate,
    path: (id: number) => paths.jobTemplate(id),
    createPath: paths.jobTemplateNew,
    refused: 'no-job-template',
    replace: 'replace.newTemplate',
  },
  dashboard: {
    name: 'dashboard-template',
    record: 'dashboard_template',
    get: getDashboardTemplate,
    create: createDashboardTemplate,
    update: updateDashboardTemplate,
    path: (id: number) => paths.dashboardTemplate(id),
    createPath: paths.dashboardTemplateNew,
    refused: 'no-dashboard-template',
    replace: 'replace.newDashboardTemplate',
  },
} as const satisfies Record<DocumentLanguage, unknown>

/** The name that a document gives itself, however broken the rest of it is. */
function nameIn(text: string): string | null {
  const { root } = readYaml(text, () => {})
  const name = root?.kind === 'map' ? entryOf(root, 'name')?.value : undefined
  return name?.kind === 'scalar' && typeof name.value === 'string' && name.value !== '' ? name.value : null
}

/** Opens what needs no more questions, and says which question there is else. */
export function useOpenFile(): (sniffed: Sniffed) => Promise<Opening> {
  const { t } = useTranslation('incoming')
  const navigate = useNavigate()
  const { pathname } = useLocation()
  const { can } = useSession()

  async function openBundle(file: IncomingFile): Promise<Opening> {
    if (!can('importBundle')) return { step: 'refused', why: 'no-import' }
    // Before all of it is read, which may take long.
    if (file.size > MAX_BUNDLE_BYTES) return { step: 'refused', why: 'long-bundle' }
    handedBundles.give('import', await wholeFile(file))
    void navigate(paths.importBundle())
    return { step: 'done' }
  }

  /** Puts the text into its editor; asks before an unsaved text of that editor is lost. */
  function edit(key: DraftKey, path: string, text: string, saved: string, record: string): Opening {
    const proceed = () => {
      // An editor that stands there takes the text where it is.
      const there = handedTexts.awaited(key)
      handedTexts.give(key, text)
      if (!there) void navigate(path)
    }
    const draft = recallDraft(browserStore(), key, saved)
    if (draft && draft.text !== text) return { step: 'ask', record, proceed }
    proceed()
    return { step: 'done' }
  }

  async function openDocument(file: IncomingFile, language: DocumentLanguage): Promise<Opening> {
    if (file.size > longestText) return { step: 'refused', why: 'long-text' }
    const bytes = await file.read(0, file.size)
    const text = readHead(bytes, true)?.text.replace(/^\uFEFF/, '') ?? ''
    const kind = kinds[language]
    const name = nameIn(text)
    const there = name === null ? undefined : await findByName(kind.record, name)
    if (!there) {
      if (!can(kind.create.id)) return { step: 'refused', why: kind.refused }
      return edit(`${kind.name}.new`, kind.createPath({ sample: 'draft' }), text, '', t(kind.replace))
    }
    const { id } = there
    const path = kind.path(id)
    if (!can(kind.update.id)) {
      void navigate(path)
      notifications.show({ color: 'orange', message: t('document.readOnly', { name: there.name, file: file.name }) })
      return { step: 'done' }
    }
    const { yaml_content: saved } = await call(kind.get, { params: { id } })
    const same = saved === text
    notifications.show({
      message: t(same ? 'document.same' : 'document.changes', { name: there.name, file: file.name }),
    })
    if (same) {
      void navigate(path)
      return { step: 'done' }
    }
    return edit(`${kind.name}.${id}`, path, text, saved, `“${there.name}”`)
  }

  async function opened({ file, kind, problem }: Sniffed): Promise<Opening> {
    // On the page of the import, whatever could be a bundle is one: its lines say themselves what is wrong with them.
    const onImport = pathname === paths.importBundle() && !file.isFolder
    const perhaps = kind.kind === 'data' && (kind.format === 'json' || kind.format === 'jsonl')
    if (kind.kind === 'bundle' || (onImport && perhaps)) return openBundle(file)
    if (kind.kind === 'document') return openDocument(file, kind.language)
    if (kind.kind === 'data') {
      return can('createTask') && can('previewTask') ? { step: 'data' } : { step: 'refused', why: 'no-task' }
    }
    return { step: 'refused', why: kind.why, ...(problem === null ? {} : { detail: problem }) }
  }

  return (sniffed) =>
    opened(sniffed).catch((error: unknown) => ({
      step: 'refused',
      why: 'failed',
      detail: error instanceof Error ? error.message : String(error),
    }))
}
