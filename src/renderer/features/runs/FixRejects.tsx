import { Button } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { IconArrowBackUp, IconRefresh, IconRowRemove, IconTrash } from '@tabler/icons-react'
import { useEffect, useEffectEvent, useMemo, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useNavigate } from 'react-router'
import { type RejectsStart, rerunRejects } from '../../../contract/rejects-rerun.ts'
import type { Run } from '../../../contract/runs.ts'
import type { RunReject } from '../../../contract/run-rejects.ts'
import { useAction } from '../../api/queries.ts'
import { isMessage } from '../../../language/message.ts'
import { translateMessage, translateReason } from '../../i18n/translate.ts'
import { paths } from '../../paths.ts'
import { CodeWords } from '../../ui/CodeWords.tsx'
import { CommandButton } from '../../ui/CommandButton.tsx'
import { Failure } from '../../ui/Failure.tsx'
import { numberText } from '../../ui/format.ts'
import { DataGrid } from '../../ui/grid/DataGrid.tsx'
import type { DataGridHandle, GridEdits, GridRows } from '../../ui/grid/grid.types.ts'
import { FixCellDialog } from './FixCellDialog.tsx'
import { ReplaceBar } from './ReplaceBar.tsx'
import classes from './rejects.module.css'
import {
  canEdit,
  faultyFields,
  fieldsOf,
  gridField,
  isChanged,
  isEdited,
  replaced,
  requestOf,
  shownValue,
  withValue,
  withoutRows,
} from './fix-rejects.rules.ts'
import { useRejectEdits } from './use-reject-edits.ts'

/** Without the file and the line, which would leave no room for it. */
function causeOf(reject: RunReject | undefined): string {
  if (!reject) return ''
  const cause = reject.code === 'at_line' ? reject.params?.['cause'] : undefined
  // The grid shows plain text: names are not marked in it.
  return (isMessage(cause) ? translateMessage(cause) : translateReason(reject)).replaceAll('`', '')
}

interface FixRejectsProps {
  run: Run
  start: RejectsStart
  /** All that no run has rerun. */
  rejects: readonly RunReject[]
  onReload(): void
}

/** A grid of rejected rows in which values are changed and rows left out; then those that remain are rerun. */
export function FixRejects({ run, start, rejects, onReload }: FixRejectsProps) {
  const { t } = useTranslation('runs')
  const navigate = useNavigate()
  const grid = useRef<DataGridHandle>(null)
  const { edits, kept, change, undo, discard, forget } = useRejectEdits(run.id, start.step, rejects)
  const [cell, setCell] = useState<{ row: number; column: number } | null>(null)
  const [head, setHead] = useState(0)
  const rerun = useAction(rerunRejects, { invalidates: ['getRejectsRerun', 'listRunRejects', 'listRuns'] })
  // Decided once: columns don’t come and go while someone types.
  const [fields] = useState(() => fieldsOf(start, rejects, edits))
  // The reason comes last: first, it would take the room of the values, and the line below the grid shows all of it.
  const shown = useMemo(
    () => [
      ...fields.map((field) => gridField(start, field, t('fix.line'))),
      { name: t('rejects.reason'), type: 'text' as const, native: '' },
    ],
    [fields, start, t],
  )
  const faulty = useMemo(() => rejects.map((reject) => faultyFields(start, reject, fields)), [rejects, start, fields])
  const show = (row: number) => grid.current?.show(row, faulty[row]?.[0])
  // The first thing to do here.
  const begin = useEffectEvent(() => show(0))
  useEffect(() => begin(), [])
  const rows = requestOf(edits, rejects)
  const changed = rejects.filter(({ id }) => isEdited(edits, id)).length
  const valuesOf = (reject: RunReject) => [
    ...fields.map((field) => shownValue(start, edits, reject, field)),
    causeOf(reject),
  ]
  const source: GridRows = {
    count: rejects.length,
    at: (row) => {
      const reject = rejects[row]
      return reject && valuesOf(reject)
    },
    want: () => undefined,
    load: async (first, last) => rejects.slice(first, last + 1).map(valuesOf),
  }
  const edit = ({ row, column }: { row: number; column: number }) => {
    const field = fields[column]
    const reject = rejects[row]
    if (!field || !reject || edits.left.includes(reject.id)) return
    if (canEdit(start, field) && shownValue(start, edits, reject, field) !== undefined) setCell({ row, column })
    else notifications.show({ color: 'yellow', message: t('fix.notEditable', { column: shown[column]?.name ?? '' }) })
  }
  const staged: GridEdits = {
    kindOf: (row) => {
      const id = rejects[row]?.id ?? 0
      return edits.left.includes(id) ? 'delete' : isEdited(edits, id) ? 'update' : undefined
    },
    isChanged: (row, column) => {
      const [reject, field] = [rejects[row], fields[column]]
      return reject !== undefined && field !== undefined && isChanged(start, edits, reject, field)
    },
    faultOf: (row, column) =>
      faulty[row]?.includes(column) && !staged.isChanged(row, column) ? causeOf(rejects[row]) : undefined,
    onEdit: edit,
    onDelete: (gone) =>
      change(
        withoutRows(
          edits,
          gone.flatMap((row) => rejects[row]?.id ?? []),
        ),
      ),
    onUndo: () => undo?.(),
  }
  const submit = () => {
    if (rerun.isPending || rows.length === 0) return
    rerun.mutate(
      { params: { id: run.id }, body: { rows } },
      {
        onSuccess: (started) => {
          forget()
          notifications.show({ message: t('fix.started', { count: rows.length, id: started.id }) })
          void navigate(paths.run(started.id))
        },
        onError: (failure) => {
          const [, at] = /^body\.rows\[(\d+)\]/.exec(failure.details[0]?.path ?? '') ?? []
          const row = rejects.findIndex(({ id }) => id === rows[Number(at)]?.id)
          if (at !== undefined && row >= 0) show(row)
        },
      },
    )
  }
  const current = rejects[head]
  const edited = cell && rejects[cell.row]
  const field = cell && fields[cell.column]
  return (
    <div className={classes.fix}>
      <div className={classes.tools}>
        <ReplaceBar
          columns={fields.flatMap((one, at) => (canEdit(start, one) ? [{ at, name: shown[at]?.name ?? '' }] : []))}
          onReplace={(at, find, by) => {
            const of = fields[at]
            if (!of) return
            const done = replaced(start, edits, rejects, { field: of, find, by })
            if (done.changed > 0) change(done.edits)
            const color = done.refused > 0 || done.changed === 0 ? { color: 'yellow' } : {}
            const refused = done.refused > 0 ? ` ${t('fix.replaceRefused', { count: done.refused })}` : ''
            notifications.show({ ...color, message: `${t('fix.replaced', { count: done.changed })}${refused}` })
          }}
        />
        <Button
          size="compact-sm"
          variant="subtle"
          leftSection={<IconArrowBackUp size={14} aria-hidden />}
          disabled={!undo}
          onClick={() => undo?.()}
        >
          {t('fix.undo')}
        </Button>
        <CommandButton
          id="run.skip-rejects"
          label={t('fix.skip')}
          icon={IconRowRemove}
          size="compact-sm"
          variant="subtle"
          shortcut="Delete"
          hint={t('fix.skipHint')}
          onClick={() => grid.current?.deleteRows()}
        />
        <Button
          size="compact-sm"
          variant="subtle"
          leftSection={<IconTrash size={14} aria-hidden />}
          disabled={changed + edits.left.length === 0}
          onClick={discard}
        >
          {t('fix.discard')}
        </Button>
      </div>
      {rerun.error ? (
        <div className={classes.refused}>
          <Failure failure={rerun.error} />
          {rerun.error.status === 409 ? (
            <Button size="compact-sm" variant="default" onClick={() => (rerun.reset(), onReload())}>
              {t('fix.reload')}
            </Button>
          ) : null}
        </div>
      ) : null}
      <DataGrid
        ref={grid}
        label={t('rejects.label')}
        fields={shown}
        rows={source}
        table="rejects"
        dialect="duckdb"
        onOpenCell={edit}
        onHead={({ row }) => setHead(row)}
        edits={staged}
      />
      {current ? (
        <p className={classes.reason} aria-live="polite">
          <b>{t('fix.reasonOf', { row: head + 1 })}</b> <CodeWords text={translateReason(current)} />
        </p>
      ) : null}
      <div className={classes.foot}>
        <span>
          {t('fix.summary', {
            count: rejects.length,
            edited: numberText(changed),
            left: numberText(edits.left.length),
          })}
          {kept ? '' : ` ${t('fix.notKept')}`}
          {changed === 0 && edits.left.length === 0 ? ` ${t('fix.unchanged')}` : ''}
        </span>
        <span className={classes.hint}>{t('fix.keys')}</span>
        <CommandButton
          id="run.rerun-rejects"
          needsServer
          label={t('fix.submit', { count: rows.length })}
          icon={IconRefresh}
          size="compact-sm"
          shortcut="mod+Enter"
          hint={t('fix.submitHint', { step: start.step })}
          loading={rerun.isPending}
          disabled={rows.length === 0}
          onClick={submit}
        />
      </div>
      {cell && edited && field ? (
        <FixCellDialog
          column={shown[cell.column]?.name ?? ''}
          type={field.kind === 'value' ? (start.columns[field.column]?.type ?? '') : ''}
          reason={translateReason(edited)}
          value={shownValue(start, edits, edited, field)}
          mayBeNull={field.kind === 'value'}
          onSave={(value) => {
            const result = withValue(start, edits, edited, field, value)
            if ('code' in result) return result
            change(result)
            setCell(null)
            return null
          }}
          onClose={() => setCell(null)}
        />
      ) : null}
    </div>
  )
}
