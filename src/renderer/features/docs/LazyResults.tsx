import { Suspense } from 'react'
import { useTranslation } from 'react-i18next'
import { lazyPart } from '../../ui/lazy-part.ts'
import classes from './docs.module.css'

// The index is larger than any page.
const DocsResults = lazyPart(async () => (await import('./DocsResults.tsx')).DocsResults)

export function LazyResults({ query }: { query: string }) {
  const { t } = useTranslation('docs')
  return (
    <Suspense fallback={<p className={classes.count}>{t('search.loading')}</p>}>
      <DocsResults query={query} />
    </Suspense>
  )
}
