import { Button } from '@mantine/core'
import { IconClockPause, IconFilterOff, IconLinkOff, IconPlugConnectedX, IconServerOff } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import type { ApiFailure } from '../../api/client.ts'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { errorKindOf } from '../../ui/error-kind.rules.ts'

const icons = {
  gone: IconLinkOff,
  offline: IconPlugConnectedX,
  tooMany: IconClockPause,
  filters: IconFilterOff,
  unavailable: IconServerOff,
}

function reasonOf(error: ApiFailure): keyof typeof icons {
  const kind = errorKindOf(error)
  if (kind === 'offline' || kind === 'tooMany') return kind
  if (kind === 'notFound') return 'gone'
  return error.status === 400 ? 'filters' : 'unavailable'
}

interface PublicFailureProps {
  error: ApiFailure
  onRetry: () => void
  /** In a widget. */
  compact?: boolean
}

/** What failed, for someone who can't look into a log or sign in. */
export function PublicFailure({ error, onRetry, compact = true }: PublicFailureProps) {
  const { t } = useTranslation('publicPage')
  const { t: word } = useTranslation()
  const reason = reasonOf(error)
  return (
    <div role="alert">
      <EmptyState
        compact={compact}
        icon={icons[reason]}
        title={t(`failure.${reason}.title`)}
        text={t(`failure.${reason}.text`)}
        action={
          reason === 'gone' ? undefined : (
            <Button variant="default" onClick={onRetry}>
              {word('error.retry')}
            </Button>
          )
        }
      />
    </div>
  )
}
