import { Link } from 'react-router'
import { paths } from '../../paths.ts'
import { ErrorState } from '../../ui/ErrorState.tsx'
import { WidgetMenu } from './WidgetMenu.tsx'
import type { ViewParts } from './dashboard-source.ts'

/** A run that failed opens at its log. */
export const signedInParts: ViewParts = {
  Failure: ({ error, onRetry }) => <ErrorState what="this" error={error} onRetry={onRetry} compact />,
  Actions: WidgetMenu,
  RunNumber: ({ kind, id }) => <Link to={kind === 'run' ? paths.run(id) : paths.jobRun(id)}>#{id}</Link>,
}
