import { IconFileUnknown } from '@tabler/icons-react'
import { Button } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link, useLoaderData } from 'react-router'
import contents from 'virtual:headgate-docs/contents'
import { paths } from '../../paths.ts'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { Page } from '../../ui/Page.tsx'
import { useAddress } from '../../ui/use-address.ts'
import { DocsArticle } from './DocsArticle.tsx'
import { DocsNav } from './DocsNav.tsx'
import { DocsToc } from './DocsToc.tsx'
import { LazyResults } from './LazyResults.tsx'
import type { LoadedPage } from './docs-pages.ts'
import classes from './docs.module.css'

/** The documentation: pages on the left, the one at hand, its headings on the right; what is looked for takes their place. */
export function DocsPage() {
  const { t } = useTranslation('docs')
  // What loadPage of this route gave.
  const { slug, html } = useLoaderData() as LoadedPage
  const [search] = useAddress()
  const query = (search.get('q') ?? '').trim()
  const [scroller, setScroller] = useState<HTMLElement | null>(null)
  const all = contents.flatMap((group) => group.pages)
  const entry = all.find((page) => page.slug === slug)
  return (
    <Page
      title={entry && slug !== 'index' ? entry.title : t('title')}
      crumbs={entry && slug !== 'index' ? [{ label: t('title'), to: paths.docs() }] : []}
      layout="fill"
    >
      <div className={classes.columns}>
        <DocsNav slug={slug} query={query} />
        {query !== '' ? (
          <div className={classes.scroll}>
            <LazyResults query={query} />
          </div>
        ) : html === null ? (
          <div className={classes.scroll}>
            <EmptyState
              icon={IconFileUnknown}
              title={t('missing.title')}
              text={t('missing.text', { page: slug })}
              action={
                <Button component={Link} to={paths.docs()}>
                  {t('missing.action')}
                </Button>
              }
            />
          </div>
        ) : (
          <>
            <div className={classes.scroll} ref={setScroller}>
              <DocsArticle key={slug} html={html} slug={slug} pages={all} scroller={scroller} />
            </div>
            <DocsToc headings={entry?.headings ?? []} scroller={scroller} />
          </>
        )}
      </div>
    </Page>
  )
}
