import { ApiFailure } from '../../api/client.ts'
import { Failure } from '../../ui/Failure.tsx'

/** Why a query failed. The details of what a system says repeat it. */
export function QueryFailure({ error }: { error: Error }) {
  const details = error instanceof ApiFailure && error.code !== 'CONNECTOR_ERROR' ? error.details : []
  return <Failure failure={{ message: error.message, details }} />
}
