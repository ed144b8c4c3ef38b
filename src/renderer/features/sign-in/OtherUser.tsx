import { Anchor } from '@mantine/core'
import { useTranslation } from 'react-i18next'

/** The way out of a step after the first. */
export function OtherUser({ onClick }: { onClick: () => void }) {
  const { t } = useTranslation('signIn')
  return (
    <Anchor component="button" type="button" fz={12} onClick={onClick}>
      {t('code.other')}
    </Anchor>
  )
}
