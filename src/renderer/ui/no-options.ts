import { useTranslation } from 'react-i18next'

interface Found {
  data: unknown
  error: Error | null
  /** What the text before had found: of this one nothing is known yet. */
  isPlaceholderData?: boolean
}

/** Why a field that searches has nothing to offer. */
export function emptyReason(
  { data, error, isPlaceholderData }: Found,
  searched: boolean,
): 'waiting' | 'failed' | 'notFound' | 'none' {
  if (data === undefined || isPlaceholderData) return error ? 'failed' : 'waiting'
  return searched ? 'notFound' : 'none'
}

/** What it says then. */
export function useNoOptions(): (found: Found, searched: boolean, notFound: string) => string {
  const { t } = useTranslation()
  return (found, searched, notFound) =>
    ({
      waiting: t('loading'),
      failed: t('error.kinds.other.title'),
      none: t('nothingToChoose'),
      notFound,
    })[emptyReason(found, searched)]
}
