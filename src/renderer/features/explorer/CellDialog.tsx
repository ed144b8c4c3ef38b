import { Button, Loader, Modal } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { getQueryCell } from '../../../contract/queries.ts'
import { openStream } from '../../api/client.ts'
import { DialogWays } from '../../ui/DialogFoot.tsx'
import { ErrorState } from '../../ui/ErrorState.tsx'
import { JsonView } from '../../ui/JsonView.tsx'
import { ScrollRegion } from '../../ui/ScrollRegion.tsx'
import { Value } from '../../ui/Value.tsx'
import { copyText } from '../../ui/copy-text.ts'
import { numberText } from '../../ui/format.ts'
import { cellOf, hexOf } from '../../ui/grid/cell.rules.ts'
import classes from './explorer.module.css'
import type { ShownResult } from './use-query.ts'

interface CellDialogProps {
  connectorId: number
  result: ShownResult
  row: number
  field: number
  onMove: (place: { row: number; field: number }) => void
  onClose: () => void
}

/** Longer texts than this would freeze the window; they are copied whole. */
const mostShown = 1_000_000

/** One value in full: pages hold long ones in part only. */
export function CellDialog({ connectorId, result, row, field, onMove, onClose }: CellDialogProps) {
  const { t } = useTranslation('explorer')
  const { fields, rows, queryId } = result
  const described = fields[field]
  const isCut = rows.cutAt(row, field) !== undefined
  const whole = useQuery({
    queryKey: ['explorer-cell', queryId, row, field],
    enabled: isCut,
    staleTime: Infinity,
    gcTime: 0,
    queryFn: async ({ signal }): Promise<unknown> => {
      const response = await openStream(getQueryCell, {
        params: { id: connectorId, queryId },
        query: { row, field },
        signal,
      })
      return await response.json()
    },
  })
  const value = isCut ? whole.data : rows.at(row)?.[field]
  const cell = cellOf(value, described?.type ?? 'text')
  const text = typeof cell.text === 'string' ? (cell.type === 'bytes' ? hexOf(cell.text) : cell.text) : cell.text
  // SQLite keeps JSON as text.
  const isJson = cell.type === 'json' || cell.type === 'document' || /^jsonb?$/i.test(described?.native ?? '')
  const step = (by: number) => {
    const next = field + by
    if (next >= 0 && next < fields.length) onMove({ row, field: next })
  }
  const copy = () => {
    copyText(text ?? '').then(
      () => notifications.show({ message: t('cell.copied') }),
      (error: unknown) => notifications.show({ color: 'red', message: String(error) }),
    )
  }
  return (
    <Modal
      opened
      onClose={onClose}
      size={840}
      title={
        <span>
          <b>{described?.name}</b>{' '}
          <span className={classes.muted}>
            {t('cell.place', { type: described?.native || described?.type, row: numberText(row + 1) })}
          </span>
        </span>
      }
    >
      <ScrollRegion label={t('cell.label')} className={classes.cellText}>
        {isCut && whole.isPending ? <Loader size={14} /> : null}
        {whole.error ? <ErrorState what="value" error={whole.error} compact /> : null}
        {isCut && !whole.isSuccess ? null : typeof text !== 'string' || text === '' ? (
          <Value value={text} />
        ) : isJson && text.length < mostShown ? (
          <JsonView json={text} />
        ) : (
          <pre>{text.slice(0, mostShown)}</pre>
        )}
      </ScrollRegion>
      <DialogWays>
        <span className={classes.muted}>
          {typeof text === 'string'
            ? t('cell.length', { count: text.length, formatted: numberText(text.length) })
            : null}
          {typeof text === 'string' && text.length > mostShown
            ? ` · ${t('cell.shortened', { most: numberText(mostShown) })}`
            : null}
        </span>
        <span className={classes.space} />
        <Button variant="default" disabled={field === 0} onClick={() => step(-1)}>
          {t('cell.previous')}
        </Button>
        <Button variant="default" disabled={field === fields.length - 1} onClick={() => step(1)}>
          {t('cell.next')}
        </Button>
        <Button disabled={typeof text !== 'string'} onClick={copy}>
          {t('cell.copy')}
        </Button>
      </DialogWays>
    </Modal>
  )
}
