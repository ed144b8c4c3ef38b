import { Switch } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { useOnlyDifferences } from './use-sides.ts'

/** Hides what is equal on both sides. */
export function OnlyDifferences() {
  const { t } = useTranslation()
  const [only, setOnly] = useOnlyDifferences()
  return (
    <Switch
      label={t('compare.onlyDifferences')}
      checked={only}
      onChange={(event) => setOnly(event.currentTarget.checked)}
    />
  )
}
