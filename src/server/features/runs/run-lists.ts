import type { ListedSort } from '../../../contract/listed-sort.ts'
import { type RunStatus, statusOrder } from '../../../contract/runs.ts'
import type { CursorValue } from '../../platform/cursor.ts'
import type { ListPart, PartsOptions } from '../../platform/list-parts.ts'
import type { Store } from '../../platform/store.ts'
import { createRunListByDurationStore } from './run-list-by-duration.store.ts'
import { type EndFilters, createRunListByEndStore, isByEnd } from './run-list-by-end.store.ts'
import type { RunFilters, RunPlace, createRunListStore } from './run-list.store.ts'
import type { RunRow } from './runs.table.ts'

type Filters = RunFilters & EndFilters
type ReadPage<Place> = (place: Place | undefined, onwards: boolean, limit: number) => RunRow[]

/** The orders of the list of runs, each as parts that follow each other. */
export function createRunLists({ sqlite }: Pick<Store, 'sqlite'>, byCreation: ReturnType<typeof createRunListStore>) {
  const byEnd = createRunListByEndStore(sqlite)
  const byDuration = createRunListByDurationStore(sqlite)

  /** Runs by their time: created, or ended where the filters ask for that. */
  function timed(filters: Filters, ascending: boolean): ListPart<RunRow> {
    const ended = isByEnd(filters)
    return timePart(ended, ascending, (place, newer, limit) =>
      (ended ? byEnd : byCreation).page(filters, place, newer, limit),
    )
  }

  /** Those without a duration stand last in either order, newest first. */
  function durations(filters: Filters, ascending: boolean, total: () => number): ListPart<RunRow>[] {
    const ended = isByEnd(filters)
    return [
      {
        read(place, backwards, limit) {
          // Written by `placeOf`.
          const [ms, id] = (place ?? []) as [number, number]
          const longer = ascending !== backwards
          const at = place && { ms, id }
          return ended
            ? byEnd.pageByDuration(filters, at, longer, limit)
            : byDuration.page(filters, at, longer, limit, total())
        },
        placeOf: ({ duration_ms, id }) => [duration_ms, id],
      },
      timePart(ended, false, (place, newer, limit) =>
        ended ? byEnd.page(filters, place, newer, limit, true) : byDuration.without(filters, place, newer, limit),
      ),
    ]
  }

  return {
    sorted(
      filters: Filters,
      sort: ListedSort = 'created_at',
      order: 'asc' | 'desc' = sort === 'status' ? 'asc' : 'desc',
    ): Pick<PartsOptions<RunRow>, 'parts' | 'signature' | 'total'> {
      const ended = isByEnd(filters)
      const ascending = order === 'asc'
      let counted: number | undefined
      const total = () => (counted ??= (ended ? byEnd : byCreation).count(filters))
      const parts = {
        created_at: () => [timed(filters, ascending)],
        duration_ms: () => durations(filters, ascending, total),
        status: () => (ascending ? statusOrder : statusOrder.toReversed()).map((status) => ofStatus(status)),
      }
      const ofStatus = (status: RunStatus): ListPart<RunRow> =>
        filters.status && !filters.status.includes(status)
          ? { read: () => [], placeOf: ({ id }) => [id] }
          : timed({ ...filters, status: [status] }, false)
      return {
        parts: parts[sort](),
        signature: `runs,${ended ? 'completed_at' : 'created_at'},${sort} ${order}`,
        total,
      }
    },
  }
}

function timePart(ended: boolean, ascending: boolean, page: ReadPage<RunPlace>): ListPart<RunRow> {
  return {
    read(place, backwards, limit) {
      // Written by `placeOf`.
      const [at, id] = (place ?? []) as [string, number]
      return page(place && { at, id }, ascending !== backwards, limit)
    },
    placeOf: ({ completed_at, created_at, id }): CursorValue[] => [(ended ? completed_at : null) ?? created_at, id],
  }
}
