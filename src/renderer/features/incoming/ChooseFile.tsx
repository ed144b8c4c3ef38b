import { Button, Group, Modal } from '@mantine/core'
import { IconFile, IconFolder } from '@tabler/icons-react'
import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { bytesText } from '../../ui/time.ts'
import classes from './incoming.module.css'
import { type IncomingFile, putAside } from './incoming.store.ts'
import { type Sniffed, sniff } from './opening.ts'
import { togetherOf } from './together.rules.ts'

/** More are not looked into; nobody reads so long a list. */
const most = 50

interface ChooseFileProps {
  files: readonly IncomingFile[]
  onChoose: (files: readonly IncomingFile[]) => void
}

/** Several files at once: rows of one format are read together, else one is chosen. */
export function ChooseFile({ files, onChoose }: ChooseFileProps) {
  const { t } = useTranslation('incoming')
  const { t: tUi } = useTranslation()
  const [found, setFound] = useState<readonly Sniffed[] | null>(null)
  useEffect(() => {
    let left = false
    const look = async () => {
      const all = await Promise.all(files.slice(0, most).map(sniff))
      if (!left) setFound(all)
    }
    void look()
    return () => {
      left = true
    }
  }, [files])
  if (!found) return null
  const together = files.length <= most ? togetherOf(found) : null
  const isOpenable = ({ kind }: Sniffed) => kind.kind !== 'unknown'
  const first = found.findIndex(isOpenable)
  const unsupported = found.filter((one) => !isOpenable(one))
  const note = together
    ? t('choose.together')
    : first < 0
      ? t('choose.none')
      : found.filter(isOpenable).length > 1
        ? t('choose.one')
        : null
  const word = ({ kind }: Sniffed) =>
    kind.kind === 'data'
      ? t(`formats.${kind.format}`)
      : t(kind.kind === 'unknown' ? 'choose.not' : `choose.${kind.kind}`)
  return (
    <Modal
      opened
      onClose={() => putAside()}
      title={<b>{together ? t('choose.title', { count: files.length }) : t('choose.titleOne')}</b>}
      size={520}
      closeButtonProps={{ 'aria-label': tUi('close') }}
    >
      {note === null ? null : <p className={classes.note}>{note}</p>}
      <ul className={classes.files}>
        {found.map((one, at) => (
          // Two files of one name may come from two folders.
          // oxlint-disable-next-line react/no-array-index-key
          <li key={at} data-not={!isOpenable(one) || undefined}>
            {one.file.isFolder ? <IconFolder size={16} aria-hidden /> : <IconFile size={16} aria-hidden />}
            <span title={one.file.path ?? one.file.name}>{one.file.name}</span>
            <span title={one.kind.kind === 'unknown' ? t(`refused.${one.kind.why}`) : undefined}>{word(one)}</span>
            <span>{one.file.isFolder ? '' : bytesText(one.file.size)}</span>
            {isOpenable(one) ? (
              <Button
                variant="default"
                size="compact-xs"
                aria-label={t('choose.open', { name: one.file.name })}
                data-autofocus={(!together && at === first) || undefined}
                onClick={() => onChoose([one.file])}
              >
                {t('choose.openShort')}
              </Button>
            ) : (
              <span />
            )}
          </li>
        ))}
      </ul>
      {unsupported.length > 0 ? <p className={classes.kinds}>{t('refused.kinds')}</p> : null}
      {files.length > most ? <p className={classes.note}>{t('choose.more', { count: files.length - most })}</p> : null}
      <Group justify="flex-end" gap={8} mt={12}>
        <Button variant="default" onClick={() => putAside()}>
          {tUi('form.cancel')}
        </Button>
        {together ? (
          <Button onClick={() => onChoose(together)} data-autofocus>
            {together.length === 2 ? t('choose.both') : t('choose.all', { count: together.length })}
          </Button>
        ) : null}
      </Group>
    </Modal>
  )
}
