import { useTranslation } from 'react-i18next'
import { Outlet, useMatches, useParams } from 'react-router'
import type { OperationId } from '../../../contract/operations.ts'
import { ApiFailure } from '../../api/client.ts'
import { useSession } from '../../api/session.ts'
import { ErrorState } from '../../ui/ErrorState.tsx'
import { Page } from '../../ui/Page.tsx'
import { NotFoundPage } from './NotFoundPage.tsx'

/** What a route says of itself in `handle`: the operation without which its page is of no use. */
export interface PageHandle {
  needs: OperationId
}

const isPageHandle = (handle: unknown): handle is PageHandle =>
  typeof handle === 'object' && handle !== null && 'needs' in handle

/** Where pages appear; its own route, so that the error page of a broken one replaces it alone. */
export function PageOutlet() {
  const { t } = useTranslation()
  const { can } = useSession()
  const { id } = useParams()
  const refused = useMatches().some(({ handle }) => isPageHandle(handle) && !can(handle.needs))
  // Records are counted from one: no page has to look for one called `new`.
  if (id !== undefined && !/^[1-9]\d{0,14}$/.test(id)) return <NotFoundPage />
  if (!refused) return <Outlet />
  return (
    <Page title={t('error.kinds.forbidden.title')}>
      <ErrorState error={new ApiFailure(403, 'FORBIDDEN', t('error.kinds.forbidden.text'))} />
    </Page>
  )
}
