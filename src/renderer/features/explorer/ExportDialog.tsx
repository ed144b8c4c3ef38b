import { Alert, Button, Checkbox, Select, Stack } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { DialogWays } from '../../ui/DialogFoot.tsx'
import { FormDialog } from '../../ui/FormDialog.tsx'
import { bytesText } from '../../ui/time.ts'
import { type ExportOptions, exportName, exportResult, fileEndings } from './export-result.ts'

interface ExportDialogProps {
  connectorId: number
  queryId: string
  name: string
  onClose: () => void
}

type Format = ExportOptions['format']
type Delimiter = NonNullable<ExportOptions['delimiter']>
const delimiters: readonly Delimiter[] = [',', ';', '\t', '|']

/** All rows of the result as a file; how far it is, and a way to stop it. */
export function ExportDialog({ connectorId, queryId, name, onClose }: ExportDialogProps) {
  const { t } = useTranslation('explorer')
  const { t: tUi } = useTranslation()
  const [format, setFormat] = useState<Format>('csv')
  const [delimiter, setDelimiter] = useState<Delimiter>(',')
  const [header, setHeader] = useState(true)
  const [guard, setGuard] = useState(true)
  const [bytes, setBytes] = useState<number | null>(null)
  const [error, setError] = useState<string | null>(null)
  const stop = useRef<AbortController | null>(null)
  useEffect(() => () => stop.current?.abort(), [])
  const submit = async () => {
    const controller = new AbortController()
    stop.current = controller
    setError(null)
    setBytes(0)
    const options = format === 'csv' ? { format, delimiter, header, formula_guard: guard } : { format }
    try {
      const isWritten = await exportResult({ connectorId, queryId, name }, options, setBytes, controller.signal)
      if (!isWritten) return
      notifications.show({ message: t('export.done', { name: exportName(name, format) }) })
      onClose()
    } catch (thrown) {
      if (!controller.signal.aborted) setError(thrown instanceof Error ? thrown.message : String(thrown))
    } finally {
      setBytes(null)
    }
  }
  const busy = bytes !== null
  return (
    <FormDialog opened onClose={onClose} title={t('export.title')} size={420} stays={busy}>
      <form
        noValidate
        onSubmit={(event) => {
          event.preventDefault()
          void submit()
        }}
      >
        <Stack gap={12}>
          <Select
            label={t('export.format')}
            data-autofocus
            allowDeselect={false}
            disabled={busy}
            data={Object.keys(fileEndings).map((value) => ({ value, label: t(`export.formats.${value as Format}`) }))} // its keys
            value={format}
            onChange={(next) => setFormat((next ?? 'csv') as Format)} // one of `data`
          />
          {format === 'csv' ? (
            <>
              <Select
                label={t('export.delimiter')}
                allowDeselect={false}
                disabled={busy}
                data={delimiters.map((value) => ({
                  value,
                  label: t(
                    `export.delimiters.${value === '\t' ? 'tab' : value === ',' ? 'comma' : value === ';' ? 'semicolon' : 'bar'}`,
                  ),
                }))}
                value={delimiter}
                onChange={(next) => setDelimiter(next ?? ',')}
              />
              <Checkbox
                label={t('export.header')}
                disabled={busy}
                checked={header}
                onChange={(event) => setHeader(event.currentTarget.checked)}
              />
              <Checkbox
                label={t('export.guard')}
                description={t('export.guardHint')}
                disabled={busy}
                checked={guard}
                onChange={(event) => setGuard(event.currentTarget.checked)}
              />
            </>
          ) : null}
          {error === null ? null : (
            <Alert color="red" variant="light" p={8} role="alert">
              {error}
            </Alert>
          )}
          <DialogWays>
            <span role="status" style={{ marginRight: 'auto' }}>
              {busy ? t('export.progress', { bytes: bytesText(bytes) }) : null}
            </span>
            <Button variant="default" onClick={() => (busy ? stop.current?.abort() : onClose())}>
              {busy ? t('export.stop') : tUi('form.cancel')}
            </Button>
            <Button type="submit" loading={busy}>
              {t('export.button')}
            </Button>
          </DialogWays>
        </Stack>
      </form>
    </FormDialog>
  )
}
