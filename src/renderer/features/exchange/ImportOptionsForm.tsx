import { Checkbox, Radio, Stack } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { archivedTaskPolicies, conflictPolicies, importModes } from '../../../contract/exchange.ts'
import type { ImportOptions } from './import-state.ts'

interface ImportOptionsFormProps {
  options: ImportOptions
  disabled: boolean
  onChange: (change: Partial<ImportOptions>) => void
}

/** How the records of a bundle are taken over, each choice with what it does. */
export function ImportOptionsForm({ options, disabled, onChange }: ImportOptionsFormProps) {
  const { t } = useTranslation('exchange')
  const overwrites = options.mode !== 'create_only' && !options.validate_only
  return (
    <Stack gap={16}>
      <Checkbox
        label={t('options.validateOnly')}
        description={t('options.validateOnlyText')}
        disabled={disabled}
        checked={options.validate_only}
        onChange={(event) => onChange({ validate_only: event.currentTarget.checked })}
      />
      <Radio.Group label={t('options.mode')} value={options.mode}>
        <Stack gap={6} mt={4}>
          {importModes.map((mode) => (
            <Radio
              key={mode}
              value={mode}
              label={t(`mode.${mode}`)}
              description={t(`modeText.${mode}`)}
              disabled={disabled || options.validate_only}
              onChange={() => onChange({ mode })}
            />
          ))}
        </Stack>
      </Radio.Group>
      <Radio.Group
        label={t(options.mode === 'create_only' ? 'options.exists' : 'options.conflict')}
        value={
          options.mode === 'create_only' && options.conflict_policy === 'overwrite' ? 'skip' : options.conflict_policy
        }
      >
        <Stack gap={6} mt={4}>
          {conflictPolicies.map((policy) => (
            <Radio
              key={policy}
              value={policy}
              label={t(`conflict.${policy}`)}
              description={t(policy === 'overwrite' && !overwrites ? 'options.notUpdated' : `conflictText.${policy}`)}
              disabled={disabled || options.validate_only || (policy === 'overwrite' && !overwrites)}
              onChange={() => onChange({ conflict_policy: policy })}
            />
          ))}
        </Stack>
      </Radio.Group>
      <Radio.Group
        label={t('options.archived')}
        description={overwrites ? undefined : t('options.notUpdated')}
        value={options.archived_task_policy}
      >
        <Stack gap={6} mt={4}>
          {archivedTaskPolicies.map((policy) => (
            <Radio
              key={policy}
              value={policy}
              label={t(`archived.${policy}`)}
              disabled={disabled || !overwrites}
              onChange={() => onChange({ archived_task_policy: policy })}
            />
          ))}
        </Stack>
      </Radio.Group>
      <Checkbox
        label={t('options.normalize')}
        description={t('options.normalizeText')}
        disabled={disabled}
        checked={options.normalize_names}
        onChange={(event) => onChange({ normalize_names: event.currentTarget.checked })}
      />
    </Stack>
  )
}
