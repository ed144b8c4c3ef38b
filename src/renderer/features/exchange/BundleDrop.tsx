import { Button } from '@mantine/core'
import { IconFileImport, IconPackageImport } from '@tabler/icons-react'
import { useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { bytesText } from '../../ui/time.ts'
import classes from './exchange.module.css'
import type { Bundle } from './use-bundle.ts'

const accepted = '.ndjson,.jsonl,.json,.txt,application/x-ndjson,text/plain'

interface ChooseFileProps {
  label: string
  /** Nothing else is to be done here yet. */
  first?: boolean
  onFile: (file: File) => void
}

/** A button that chooses a file. */
function ChooseFile({ label, first = false, onFile }: ChooseFileProps) {
  const input = useRef<HTMLInputElement>(null)
  const { t } = useTranslation('exchange')
  return (
    <>
      <Button
        variant={first ? 'filled' : 'default'}
        leftSection={<IconFileImport size={14} />}
        onClick={() => input.current?.click()}
      >
        {label}
      </Button>
      <input
        ref={input}
        type="file"
        hidden
        accept={accepted}
        aria-label={t('drop.file')}
        onChange={(event) => {
          const file = event.currentTarget.files?.[0]
          if (file) onFile(file)
          // The same file, changed meanwhile, can be chosen again.
          event.currentTarget.value = ''
        }}
      />
    </>
  )
}

/** The page before a bundle was chosen. */
export function NoBundle({ onFile }: { onFile: (file: File) => void }) {
  const { t } = useTranslation('exchange')
  return (
    <div className={classes.drop}>
      <EmptyState
        icon={IconPackageImport}
        title={t('drop.title')}
        text={t('drop.text')}
        action={<ChooseFile label={t('drop.choose')} first onFile={onFile} />}
      />
    </div>
  )
}

/** The bundle that was chosen, and how much is in it. */
export function BundleFacts({ bundle, onFile }: { bundle: Bundle; onFile: (file: File) => void }) {
  const { t } = useTranslation('exchange')
  const { file, index } = bundle
  return (
    <div className={classes.file}>
      <div className={classes.fileName}>
        <b title={file.name}>{file.name}</b>
        <span role="status">
          {bytesText(file.size)}
          {' · '}
          {index ? t('drop.records', { count: index.records.length }) : t('drop.reading')}
        </span>
      </div>
      <ChooseFile label={t('drop.other')} onFile={onFile} />
    </div>
  )
}
