import { Link } from 'react-router'
import { paths } from '../../paths.ts'
import { RowControl } from '../../ui/RowActions.tsx'
import { numberText } from '../../ui/format.ts'
import { orDash } from '../../ui/nothing.tsx'

const shown = 3

/** The runs that an executor works on; the list of runs has the others. */
export function RunningRuns({ ids }: { ids: readonly number[] }) {
  if (ids.length === 0) return orDash(null)
  return (
    <RowControl>
      {ids.slice(0, shown).map((id) => (
        <Link key={id} to={paths.run(id)}>
          #{id}
        </Link>
      ))}
      {ids.length > shown ? (
        <Link to={paths.runs({ status: 'running' })}>+{numberText(ids.length - shown)}</Link>
      ) : null}
    </RowControl>
  )
}
