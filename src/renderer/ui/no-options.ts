import { useTranslation } from 'react-i18next'

interface Found {
  data: unknown
  error: Error | null
}

/** What a field that searches says when it has nothing to offer: not come yet, could not come, nothing there, or not under this name. */
export function useNoOptions(): (found: Found, searched: boolean, notFound: string) => string {
  const { t } = useTranslation()
  return (found, searched, notFound) => {
    if (found.data === undefined) return found.error ? t('error.kinds.other.title') : t('loading')
    return searched ? notFound : t('nothingToChoose')
  }
}
