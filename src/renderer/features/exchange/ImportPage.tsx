import { Button } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { IconChecklist, IconPackageImport } from '@tabler/icons-react'
import { useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useCommands } from '../../commands/commands.ts'
import { ConfirmDialog } from '../../ui/ConfirmDialog.tsx'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { Hint } from '../../ui/Hint.tsx'
import { ScrollRegion } from '../../ui/ScrollRegion.tsx'
import { BundleFacts, NoBundle } from './BundleDrop.tsx'
import { ExchangeFrame } from './ExchangeFrame.tsx'
import { LeaveImport } from './LeaveImport.tsx'
import { ImportFailure } from './ImportFailure.tsx'
import { ImportOptionsForm } from './ImportOptionsForm.tsx'
import { ImportProgress } from './ImportProgress.tsx'
import { ImportResults } from './ImportResults.tsx'
import classes from './exchange.module.css'
import { handedBundles } from './handed-bundle.ts'
import { defaultOptions, mayApply, sameOptions } from './import-state.ts'
import { type Bundle, useBundle } from './use-bundle.ts'
import { type ImportControl, useImport } from './use-import.ts'
import { numberText } from '../../ui/format.ts'
import { useOpening } from '../../ui/use-opening.ts'

function Outcome({ control, bundle, onRetry }: { control: ImportControl; bundle: Bundle; onRetry: () => void }) {
  const { t } = useTranslation('exchange')
  const { run, stop } = control
  if (run.phase === 'idle') {
    return <EmptyState icon={IconChecklist} title={t('before.title')} text={t('before.text')} />
  }
  return (
    <>
      <ImportProgress run={run} total={bundle.index?.records.length} onStop={stop} />
      {run.phase === 'failed' && run.error ? (
        <ImportFailure error={run.error} bundle={bundle} onRetry={onRetry} />
      ) : null}
      {run.rows.length > 0 || run.phase !== 'failed' ? (
        <ImportResults run={run} bundle={bundle} runKey={`${String(run.dryRun)} ${run.phase}`} />
      ) : null}
    </>
  )
}

/** From a bundle to the store: choose it, see what would happen, then let it happen. */
export function ImportPage() {
  const { t } = useTranslation('exchange')
  const opening = useOpening()
  const { bundle, problem, take } = useBundle()
  const control = useImport()
  const { run, start, reset } = control
  const [options, setOptions] = useState(defaultOptions)
  const [asking, setAsking] = useState(false)
  const busy = run.phase === 'sending'
  const applicable = mayApply(run, options)
  const onFile = (file: File) => {
    if (busy) return
    reset()
    take(file)
  }
  // One that was dropped or opened is compared at once; a dry run changes nothing.
  const takeHanded = (file: File) => {
    if (busy) return notifications.show({ color: 'orange', message: t('drop.busy', { name: file.name }) })
    onFile(file)
    start(file, options, true)
  }
  const latest = useRef(takeHanded)
  useEffect(() => {
    latest.current = takeHanded
  })
  useEffect(() => handedBundles.take('import', (file) => latest.current(file)), [])
  const dryRun = () => {
    if (bundle && !busy) start(bundle.file, options, true)
  }
  const apply = () => {
    setAsking(false)
    if (bundle) start(bundle.file, options, false)
  }
  useCommands([
    {
      id: 'import.dry-run',
      title: t('dryRun'),
      icon: IconChecklist,
      shortcut: 'mod+Enter',
      when: bundle !== null && !busy,
      run: dryRun,
    },
    {
      id: 'import.apply',
      title: opening(t('apply')),
      icon: IconPackageImport,
      when: applicable,
      run: () => setAsking(true),
    },
  ])
  const changed = run.phase === 'done' && run.dryRun && !sameOptions(run.options, options)
  return (
    <ExchangeFrame>
      <div className={classes.zone}>
        {bundle ? (
          <>
            <div className={classes.side}>
              <BundleFacts bundle={bundle} onFile={onFile} />
              <ScrollRegion label={t('options.label')} className={classes.options}>
                <ImportOptionsForm
                  options={options}
                  disabled={busy}
                  onChange={(change) => setOptions({ ...options, ...change })}
                />
              </ScrollRegion>
              <div className={classes.deeds}>
                {changed ? <p className={classes.note}>{t('optionsChanged')}</p> : null}
                <Hint command="import.dry-run">
                  <Button
                    variant={applicable ? 'default' : 'filled'}
                    leftSection={<IconChecklist size={14} />}
                    loading={busy && run.dryRun}
                    disabled={busy}
                    onClick={dryRun}
                  >
                    {options.validate_only ? t('validate') : t('dryRun')}
                  </Button>
                </Hint>
                <Hint command="import.apply">
                  <Button
                    variant={applicable ? 'filled' : 'default'}
                    leftSection={<IconPackageImport size={14} />}
                    loading={busy && !run.dryRun}
                    disabled={!applicable}
                    onClick={() => setAsking(true)}
                  >
                    {opening(t('apply'))}
                  </Button>
                </Hint>
              </div>
            </div>
            <div className={classes.outcome}>
              {problem ? (
                <p className={classes.message} role="alert">
                  {t('drop.unreadable')} {problem}
                </p>
              ) : null}
              <Outcome control={control} bundle={bundle} onRetry={dryRun} />
            </div>
          </>
        ) : (
          <NoBundle onFile={onFile} />
        )}
      </div>
      <LeaveImport going={busy && !run.dryRun} />
      <ConfirmDialog
        opened={asking}
        title={t('applyTitle')}
        text={t('applyText', {
          created: numberText(run.counts.create),
          updated: numberText(run.counts.update),
        })}
        confirmLabel={t('apply')}
        onConfirm={apply}
        onClose={() => setAsking(false)}
      />
    </ExchangeFrame>
  )
}
