import { Button, Group, Modal, Stack } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import type { previewGenerateTask } from '../../../contract/ai.ts'
import type { ResultOf } from '../../../contract/operation.ts'
import { ScrollRegion } from '../../ui/ScrollRegion.tsx'
import { bytesText } from '../../ui/time.ts'
import classes from './ai.module.css'

interface SentDialogProps {
  sent: ResultOf<typeof previewGenerateTask> | null
  onSend: (digest: string) => void
  onClose: () => void
}

type Sample = ResultOf<typeof previewGenerateTask>['rows'][number]

/** Rows that leave, as a person reads rows. */
function SampleTable({ sample: { slot, resource, columns, rows } }: { sample: Sample }) {
  const { t } = useTranslation('ai')
  const title = t('sent.rows', { count: rows.length, resource, slot })
  return (
    <div>
      <b>{title}</b>
      <ScrollRegion label={title} className={classes.sample}>
        <table>
          <thead>
            <tr>
              {columns.map((name) => (
                <th key={name} scope="col">
                  {name}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.map((row, at) => (
              // oxlint-disable-next-line react/no-array-index-key -- rows have no identity of their own, and never change
              <tr key={at}>
                {row.map((value, column) => (
                  <td key={columns[column]} data-null={value === null || undefined}>
                    {typeof value === 'string' ? value : value === null ? 'NULL' : JSON.stringify(value)}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </ScrollRegion>
    </div>
  )
}

/** The bytes of a request before they are sent; rows in it come first. */
export function SentDialog({ sent, onSend, onClose }: SentDialogProps) {
  const { t } = useTranslation('ai')
  const { t: tUi } = useTranslation()
  const size = bytesText(new Blob([sent?.body ?? '']).size)
  return (
    <Modal
      opened={sent !== null}
      onClose={onClose}
      size={760}
      title={<b>{t('sent.title')}</b>}
      closeButtonProps={{ 'aria-label': tUi('close') }}
    >
      {sent ? (
        <Stack gap={12}>
          <div>
            <code>{sent.url}</code> · {size}
            {sent.held_back > 0 ? ` · ${t('sent.heldBack', { count: sent.held_back })}` : null}
          </div>
          {sent.rows.map((sample) => (
            <SampleTable key={`${sample.slot} ${sample.resource}`} sample={sample} />
          ))}
          {sent.rows.length > 0 ? <b>{t('sent.body')}</b> : null}
          <ScrollRegion label={t('sent.body')} className={classes.sent}>
            <pre>{sent.body}</pre>
          </ScrollRegion>
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              {tUi('form.cancel')}
            </Button>
            <Button onClick={() => onSend(sent.digest)}>{t('sent.send')}</Button>
          </Group>
        </Stack>
      ) : null}
    </Modal>
  )
}
