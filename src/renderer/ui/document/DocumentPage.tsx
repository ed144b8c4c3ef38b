import { Skeleton } from '@mantine/core'
import type { TablerIcon } from '@tabler/icons-react'
import type { ComponentType, ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { useParams } from 'react-router'
import { useOperation } from '../../api/queries.ts'
import { useOpened } from '../../commands/open/recent.ts'
import type { MenuAction } from '../ActionMenu.tsx'
import { CommandButton } from '../CommandButton.tsx'
import { ErrorState, useRecordName } from '../ErrorState.tsx'
import { Page, type PageTab } from '../Page.tsx'
import { SplitCommandButton } from '../SplitCommandButton.tsx'
import { StatusBadge } from '../StatusBadge.tsx'
import { DocumentMenu } from './DocumentMenu.tsx'
import { DocumentNotices } from './DocumentNotices.tsx'
import { LeaveGuard } from './LeaveGuard.tsx'
import { SaveButton } from './SaveButton.tsx'
import { SaveDialog } from './SaveDialog.tsx'
import { VersionsPane } from './VersionsPane.tsx'
import classes from './dialogs.module.css'
import type { DocumentKind, DocumentRecord } from './document.types.ts'
import type { OpenDocument } from './use-document.ts'

/** What is started without a dialog; then the dialog comes second. */
interface StartNow {
  hint: string
  busy: boolean
  run(): void
  /** Of the dialog. */
  withLabel: string
}

type DocumentTab = Omit<PageTab, 'active'> & { id: string }

/** The tabs of a document; those that only its kind has come after the editor and the versions. */
function useDocumentTabs(kind: DocumentKind, id: number, tab: string, own: readonly DocumentTab[]): PageTab[] {
  const { t } = useTranslation('documents')
  return [
    { id: 'editor', label: t('tabs.editor'), to: kind.paths.one(id) },
    { id: 'versions', label: t('tabs.versions'), to: kind.paths.versions(id) },
    ...own,
  ].map(({ id: name, ...one }) => ({ ...one, active: name === tab }))
}

interface DocumentWorkspaceProps {
  document: OpenDocument
  tab: string
  /** Those that only this kind has. */
  tabs: readonly DocumentTab[]
  /** What is started with the document: a run, a job. Nothing may be. */
  start?: { id: string; label: string; icon: TablerIcon } & ({ now?: StartNow } | { to: string; hint: string })
  /** What its menu has beside. */
  more?: readonly MenuAction[]
  editor: ReactNode
  /** The panes of its own tabs, and the dialog that starts. */
  children: ReactNode
}

function StartButton({ start, onAsk }: { start: NonNullable<DocumentWorkspaceProps['start']>; onAsk(): void }) {
  if ('to' in start) return <CommandButton {...start} />
  const { now, ...shared } = start
  if (!now) return <CommandButton {...shared} needsServer onClick={onAsk} shortcut="mod+Enter" />
  return (
    <SplitCommandButton
      {...shared}
      hint={now.hint}
      busy={now.busy}
      onClick={now.run}
      shortcut="mod+Enter"
      other={{ id: `${start.id}-with`, label: now.withLabel, shortcut: 'shift+r', onClick: onAsk }}
    />
  )
}

/** A document at work: its text, its versions, and what its kind adds. What is typed outlives a look at other tabs. */
export function DocumentWorkspace({ document, tab, tabs, start, more, editor, children }: DocumentWorkspaceProps) {
  const { kind, record, text, readOnly, archived, saving, take, close, askSave } = document
  const { t } = useTranslation('documents')
  const { t: own } = useTranslation(kind.words)
  const onTaken = (saved: DocumentRecord) => {
    take(saved)
    close()
  }
  const allTabs = useDocumentTabs(kind, record.id, tab, tabs)
  return (
    <Page
      title={record.name}
      crumbs={[{ label: own('title'), to: kind.paths.list() }]}
      badge={
        <>
          <span className={classes.version}>{t('page.version', { version: text.version })}</span>
          {archived ? <StatusBadge status="archived" size="md" /> : null}
          {text.dirty ? (
            <span className={classes.unsaved} data-unsaved>
              {t('page.unsaved')}
            </span>
          ) : null}
        </>
      }
      subtitle={record.description}
      actions={
        <>
          {readOnly ? null : <SaveButton kind={kind.name} dirty={text.dirty} onSave={askSave} />}
          {start && document.mayStart ? <StartButton start={start} onAsk={document.askStart} /> : null}
          <DocumentMenu kind={kind} record={record} text={text.text} {...(more ? { more } : {})} />
        </>
      }
      tabs={allTabs}
      layout="fill"
    >
      <LeaveGuard dirty={text.dirty} unkept={text.unkept} within={kind.paths.one(record.id)} />
      <DocumentNotices
        text={text}
        newer={document.newer}
        notice={archived ? own('page.archivedNotice') : readOnly ? own('page.readOnly') : null}
        onCompare={document.compare}
        onTake={() => take(record)}
      />
      <div className={tab === 'editor' ? classes.pane : classes.hidden}>{editor}</div>
      {tab === 'versions' ? (
        <VersionsPane kind={kind} record={record} onRestored={(saved) => !text.dirty && take(saved)} />
      ) : null}
      {children}
      <SaveDialog
        opened={document.dialog === 'save'}
        onClose={close}
        name={record.name}
        before={text.saved}
        version={text.version}
        text={text.text}
        state={saving}
        onSaved={onTaken}
        onTheirs={(conflict) => onTaken(conflict.record)}
        onText={text.setText}
      />
    </Page>
  )
}

interface DocumentPageProps<Detail extends DocumentRecord> {
  kind: DocumentKind
  /** The tabs that only this kind has. */
  tabs: readonly DocumentTab[]
  Workspace: ComponentType<{ record: Detail; tab: string }>
}

/** The page of a document, as its address tells it. */
export function DocumentPage<Detail extends DocumentRecord>({ kind, tabs: own, Workspace }: DocumentPageProps<Detail>) {
  const { t } = useTranslation(kind.words)
  const { id: text, tab } = useParams()
  const id = Number(text)
  const shown = ['versions', ...own.map((one) => one.id)].find((one) => one === tab) ?? 'editor'
  const tabs = useDocumentTabs(kind, id, shown, own)
  const recordName = useRecordName(kind.opened, text)
  const { data, error, refetch } = useOperation(kind.get, { params: { id } })
  useOpened({ kind: kind.opened, id, title: data?.name, to: kind.paths.one(id), gone: error?.status === 404 })
  if (data) {
    // The record is what the operation of its kind gives.
    return <Workspace key={data.id} record={data as unknown as Detail} tab={shown} />
  }
  return (
    <Page
      title={recordName}
      crumbs={[{ label: t('title'), to: kind.paths.list() }]}
      tabs={error?.status === 404 ? undefined : tabs}
      layout="fill"
    >
      {error ? (
        <ErrorState error={error} onRetry={() => void refetch()} record={{ kind: kind.opened, id }} />
      ) : (
        <Skeleton height={34} radius={0} />
      )}
    </Page>
  )
}
