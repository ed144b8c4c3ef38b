import { Button, Checkbox, Radio, Stack } from '@mantine/core'
import { IconPackageExport } from '@tabler/icons-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useSearchParams } from 'react-router'
import { ApiFailure } from '../../api/client.ts'
import { useCommands } from '../../commands/commands.ts'
import { CommandButton } from '../../ui/CommandButton.tsx'
import { ErrorState } from '../../ui/ErrorState.tsx'
import { Hint } from '../../ui/Hint.tsx'
import { PaneTabs } from '../../ui/PaneTabs.tsx'
import { bytesText } from '../../ui/time.ts'
import { ExchangeFrame } from './ExchangeFrame.tsx'
import { PickPane } from './PickPane.tsx'
import classes from './exchange.module.css'
import { type ExportKind, choiceOf, countOf, exportKinds, queryOf } from './export-choice.ts'
import { useExport } from './use-export.ts'
import { useTotals } from './use-totals.ts'
import { numberText } from '../../ui/format.ts'
import { useAddressPart } from '../../ui/use-address-part.ts'

/** From the store to a bundle: what is picked, with the versions that are wanted. */
export function ExportPage() {
  const { t } = useTranslation('exchange')
  const { t: word } = useTranslation()
  const [search] = useSearchParams()
  const [choice, setChoice] = useState(() => choiceOf(search))
  const [usual] = useState<ExportKind>(() => exportKinds.find((one) => choice[one].which !== 'none') ?? 'tasks')
  const [kind, setKind] = useAddressPart('kind', exportKinds, usual)
  const [versions, setVersions] = useState<'current' | 'all'>('all')
  const [archived, setArchived] = useState(true)
  const totals = useTotals(archived)
  const [withReferences, setWithReferences] = useState(exportKinds.every((one) => choice[one].which === 'all'))
  const references = withReferences ? totals.references : 0
  const [withPresets, setWithPresets] = useState(withReferences)
  const presets = withPresets ? totals.presets : 0
  const { run, start, cancel } = useExport()
  const busy = run.phase === 'busy'
  const tasks = countOf(choice.tasks, totals.tasks)
  const templates = countOf(choice.job_templates, totals.job_templates)
  const dashboards = countOf(choice.dashboard_templates, totals.dashboard_templates)
  /** So many of all that are there. */
  const pickedOf = (one: ExportKind) => {
    const [picked, all] = [countOf(choice[one], totals[one]), totals[one]]
    // Picked ones may be archived while only active ones are counted.
    return picked === undefined || all === undefined || picked > all
      ? picked
      : t('export.ofAll', { picked: numberText(picked), all: numberText(all) })
  }
  const counted = [tasks, templates, dashboards, references, presets].every((count) => count !== undefined)
  const parts = [
    tasks ? t('export.sumTasks', { count: tasks }) : null,
    templates ? t('export.sumTemplates', { count: templates }) : null,
    dashboards ? t('export.sumDashboards', { count: dashboards }) : null,
    references ? t('export.sumReferences', { count: references }) : null,
    presets ? t('export.sumPresets', { count: presets }) : null,
  ].filter((part) => part !== null)
  const doExport = () =>
    start(queryOf(choice, versions, archived, { references: withReferences, presets: withPresets }))
  const possible = !busy && parts.length > 0
  useCommands([
    {
      id: 'export.go',
      title: t('export.download'),
      icon: IconPackageExport,
      shortcut: 'mod+Enter',
      when: possible,
      run: doExport,
    },
  ])
  // What is no refusal came while the bundle was read: the connection broke, and a browser has no words for it.
  const failure = run.error === null || run.error instanceof ApiFailure ? run.error : new Error(t('export.incomplete'))
  const figures = { records: numberText(run.records), bytes: bytesText(run.bytes) }
  return (
    <ExchangeFrame>
      <div className={classes.zone}>
        <div className={classes.pick}>
          <PaneTabs
            id="export-kinds"
            label={t('tabs.export')}
            tabs={exportKinds.map((one) => ({
              id: one,
              label: t(`export.${one}`),
              count: pickedOf(one),
            }))}
            active={kind}
            onChange={setKind}
          >
            <PickPane
              key={kind}
              kind={kind}
              choice={choice[kind]}
              onRetry={totals.retry}
              onChange={(next) => setChoice((before) => ({ ...before, [kind]: next }))}
            />
          </PaneTabs>
        </div>
        <div className={classes.exportSide}>
          <Radio.Group label={t('export.versions')} value={versions}>
            <Stack gap={6} mt={4}>
              <Radio value="all" label={t('export.allVersions')} onChange={() => setVersions('all')} />
              <Radio value="current" label={t('export.current')} onChange={() => setVersions('current')} />
            </Stack>
          </Radio.Group>
          <Stack gap={6} role="group" aria-labelledby="export-include">
            <b id="export-include">{t('export.include')}</b>
            {exportKinds.some((one) => choice[one].which === 'all') ? (
              <Checkbox
                label={t('export.archived')}
                checked={archived}
                onChange={(event) => setArchived(event.currentTarget.checked)}
              />
            ) : null}
            <Checkbox
              label={t('export.references')}
              checked={withReferences}
              onChange={(event) => setWithReferences(event.currentTarget.checked)}
            />
            <Checkbox
              label={t('export.presets')}
              checked={withPresets}
              onChange={(event) => setWithPresets(event.currentTarget.checked)}
            />
          </Stack>
          <div className={classes.sum}>
            {totals.error && !counted ? (
              <>
                {/* Where the list has failed, too, it says so and asks again for both. */}
                {t(totals[kind] === undefined ? 'export.waits' : 'export.unknown')}
                {totals[kind] === undefined ? null : (
                  <div>
                    <Button size="compact-xs" variant="default" my={4} onClick={totals.retry}>
                      {word('error.retry')}
                    </Button>
                  </div>
                )}
              </>
            ) : (
              <>
                {t('export.sum')}
                {parts.length > 0 ? (
                  <ul>
                    {parts.map((part) => (
                      <li key={part}>{part}</li>
                    ))}
                  </ul>
                ) : (
                  <b>{t(counted ? 'export.nothing' : 'export.uncounted')}</b>
                )}
              </>
            )}
            <span>{t('export.secrets')}</span>
          </div>
          <Hint command="export.go">
            <Button
              leftSection={<IconPackageExport size={14} />}
              loading={busy}
              disabled={!possible}
              onClick={doExport}
            >
              {t('export.download')}
            </Button>
          </Hint>
          {busy ? (
            <CommandButton id="export.cancel" label={t('export.cancel')} variant="default" onClick={cancel} />
          ) : null}
          <div role="status">
            {busy ? t('export.busy', figures) : run.phase === 'done' ? t('export.done', figures) : null}
          </div>
          {failure ? <ErrorState error={failure} compact /> : null}
        </div>
      </div>
    </ExchangeFrame>
  )
}
