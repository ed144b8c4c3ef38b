import type { LoaderFunctionArgs } from 'react-router'
import pages from 'virtual:headgate-docs/pages'
import { untilLoaded } from '../../ui/lazy-part.ts'

export interface LoadedPage {
  slug: string
  /** Null: there is no such page. */
  html: string | null
}

export const frontPage = 'index'

/** The page of the address. The one before stays until it is there: nothing jumps. */
export async function loadPage({ params }: LoaderFunctionArgs): Promise<LoadedPage> {
  const slug = params['page'] ?? frontPage
  const load = Object.hasOwn(pages, slug) ? pages[slug] : undefined
  return { slug, html: load ? (await untilLoaded(load)).default : null }
}
