import { Button, Select, TextInput } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import '../../commands/fades.css'
import { PathInput } from '../../ui/PathInput.tsx'
import { bytesText } from '../../ui/time.ts'
import classes from './incoming.module.css'
import { ReadFields } from './ReadFields.tsx'
import { UploadField } from './UploadField.tsx'
import type { DataChoice } from './use-data-choice.ts'
import type { WriteTo } from './write-choices.ts'

interface DataFormProps {
  data: DataChoice
  targets: readonly WriteTo[]
  target: WriteTo
  onTarget: (value: string) => void
  /** What the server said of the connector's name. */
  nameProblem: string | undefined
  count: number
}

/** What becomes of the file: how it is read, by which connector, as which task, and where it goes. */
export function DataForm({ data, targets, target, onTarget, nameProblem, count }: DataFormProps) {
  const { t } = useTranslation('incoming')
  const { file, kind, reach } = data
  const labelOf = ({ write, connector }: WriteTo) =>
    write.kind === 'file'
      ? connector
        ? t('form.fileIn', { path: write.path, connector: connector.name })
        : t('form.fileBeside', { path: write.path.slice(write.path.lastIndexOf('/') + 1) })
      : t(connector ? 'form.tableIn' : 'form.tableHere', { table: write.table, connector: connector?.name })
  return (
    <div className={`hg-fades ${classes.side}`}>
      <div className={classes.file}>
        <b>{count === 1 ? file.name : t('form.files', { count, name: file.name })}</b>
        <span>
          {t(`formats.${kind.format}`)} · {bytesText(file.size)}
          {kind.misnamed ? ` · ${t('form.misnamed')}` : ''}
        </span>
      </div>
      {data.upload.isOn ? <UploadField upload={data.upload} /> : null}
      {file.path === null && !data.upload.isOn ? (
        <PathInput
          kind="file"
          label={t('form.path')}
          description={t('form.pathText')}
          placeholder={t('form.pathExample', { name: file.name })}
          value={data.typed}
          error={data.typed !== '' && !data.place ? t('form.pathBad') : undefined}
          onChange={data.setTyped}
          data-autofocus
        />
      ) : null}
      {data.upload.may && !data.upload.isOn ? (
        <Button
          size="compact-xs"
          variant="subtle"
          ml={-8}
          style={{ alignSelf: 'flex-start' }}
          onClick={() => data.upload.preferPath(false)}
        >
          {t('upload.instead')}
        </Button>
      ) : null}
      <ReadFields data={data} />
      {reach?.kind === 'there' ? (
        <TextInput
          label={t('form.connector')}
          description={t('form.connectorThere')}
          readOnly
          variant="unstyled"
          value={reach.connector.name}
        />
      ) : (
        <TextInput
          label={t('form.connectorNew')}
          description={
            kind.format === 'sqlite' || kind.format === 'duckdb'
              ? t('form.connectorFile')
              : data.place && t('form.connectorFolder', { folder: data.place.folder })
          }
          maxLength={200}
          value={data.connectorName}
          error={nameProblem ?? (data.connectorName.trim() === '' ? t('form.nameMissing') : undefined)}
          onChange={(event) => data.give({ connector: event.currentTarget.value })}
        />
      )}
      <TextInput
        label={t('form.task')}
        maxLength={200}
        value={data.taskName}
        error={data.taskName.trim() === '' ? t('form.nameMissing') : undefined}
        onChange={(event) => data.give({ task: event.currentTarget.value })}
      />
      <Select
        label={t('form.write')}
        allowDeselect={false}
        searchable={targets.length > 12}
        data={targets.map((one) => ({ value: one.value, label: labelOf(one) }))}
        value={target.value}
        onChange={(value) => value && onTarget(value)}
      />
    </div>
  )
}
