import { useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { ConfirmDialog } from '../../ui/ConfirmDialog.tsx'
import { ChooseFile } from './ChooseFile.tsx'
import { DataDialog } from './DataDialog.tsx'
import { RefusedDialog } from './RefusedDialog.tsx'
import { type IncomingFile, putAside } from './incoming.store.ts'
import { type Opening, type Sniffed, sniff } from './opening.ts'
import { useOpenFile } from './use-open-file.ts'

type Data = Extract<Sniffed['kind'], { kind: 'data' }>

function OneFile({ sniffed, others }: { sniffed: Sniffed; others: readonly IncomingFile[] }) {
  const { t } = useTranslation('incoming')
  const open = useOpenFile()
  const { file, kind } = sniffed
  const [state, setState] = useState<Opening | null>(null)
  const begun = useRef<Sniffed | null>(null)
  useEffect(() => {
    // Once for each file: opening does something, and what the user may do does not change meanwhile.
    if (begun.current === sniffed) return
    begun.current = sniffed
    const go = async () => {
      const next = await open(sniffed)
      if (next.step === 'done') putAside(sniffed.file)
      else setState(next)
    }
    void go()
  }, [sniffed, open])
  if (state?.step === 'refused') return <RefusedDialog file={file} why={state.why} detail={state.detail} />
  if (state?.step === 'ask') {
    return (
      <ConfirmDialog
        opened
        title={t('replace.title')}
        text={t('replace.text', { file: file.name, record: state.record })}
        confirmLabel={t('replace.action')}
        onConfirm={() => {
          state.proceed()
          putAside()
        }}
        onClose={() => putAside()}
      />
    )
  }
  if (state?.step === 'data' && kind.kind === 'data') {
    return <DataDialog file={file} kind={kind satisfies Data} head={sniffed.head} others={others} />
  }
  return null
}

/** What becomes of the files that came in: the only one at once, of several one that is chosen, or rows of all as one. */
export function IncomingFiles({ files }: { files: readonly IncomingFile[] }) {
  const [chosen, setChosen] = useState<{ of: readonly IncomingFile[]; files: readonly IncomingFile[] } | null>(null)
  const [sniffed, setSniffed] = useState<{ of: IncomingFile; result: Sniffed } | null>(null)
  const picked = files.length === 1 ? files : chosen?.of === files ? chosen.files : null
  const first = picked?.[0]
  useEffect(() => {
    if (!first) return
    let left = false
    const look = async () => {
      const result = await sniff(first)
      if (!left) setSniffed({ of: first, result })
    }
    void look()
    return () => {
      left = true
    }
  }, [first])
  if (!picked || !first) return <ChooseFile files={files} onChoose={(some) => setChosen({ of: files, files: some })} />
  if (sniffed?.of !== first) return null
  return <OneFile key={sniffed.result.id} sniffed={sniffed.result} others={picked.slice(1)} />
}
