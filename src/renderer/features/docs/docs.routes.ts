import type { RouteObject } from 'react-router'

const page = async () => {
  const [{ DocsPage }, { loadPage }] = await Promise.all([import('./DocsPage.tsx'), import('./docs-pages.ts')])
  return { Component: DocsPage, loader: loadPage }
}

export const docsRoutes: RouteObject[] = [
  { path: 'docs', lazy: page },
  { path: 'docs/:page', lazy: page },
]
