import { Switch } from '@mantine/core'
import type { TFunction } from 'i18next'
import { Link } from 'react-router'
import { paths } from '../../paths.ts'
import { Cut } from '../../ui/Cut.tsx'
import { RelativeTime } from '../../ui/RelativeTime.tsx'
import { RowControl } from '../../ui/RowActions.tsx'
import type { TableColumn } from '../../ui/table.types.ts'
import type { AnyTrigger } from './trigger-draft.ts'

interface Switching<T> {
  /** What the switch of a row is called. */
  label: (row: T) => string
  /** null: whoever looks may not. */
  toggle: ((row: T, enabled: boolean) => void) | null
}

/** What triggers by the clock and by events show alike. */
export const triggerColumns = <T extends AnyTrigger>(t: TFunction<'triggers'>, switching: Switching<T>) =>
  ({
    enabled: {
      id: 'enabled',
      header: t('columns.enabled'),
      width: 76,
      cell: (row) => (
        <RowControl>
          <Switch
            size="xs"
            checked={row.enabled === 1}
            disabled={!switching.toggle}
            aria-label={switching.label(row)}
            onChange={(event) => switching.toggle?.(row, event.currentTarget.checked)}
          />
        </RowControl>
      ),
    },
    job: {
      id: 'job',
      header: t('columns.job'),
      minWidth: 112,
      cell: (row) => (
        <Link to={paths.job(row.job_id, { tab: 'triggers' })}>
          <Cut text={row.job_name} />
        </Link>
      ),
    },
    what: {
      id: 'what',
      yields: 3,
      header: t('columns.what'),
      width: 110,
      names: true,
      cell: (row) => row.task_key ?? t('wholeJob'),
    },
    last: {
      id: 'last',
      header: t('columns.last'),
      width: 140,
      cell: (row) => <RelativeTime at={row.last_triggered_at} last />,
    },
    created: {
      id: 'created',
      header: t('columns.created'),
      width: 100,
      hidden: true,
      cell: (row) => <RelativeTime at={row.created_at} />,
    },
  }) satisfies Record<string, TableColumn<T>>
export type SharedColumns<T extends AnyTrigger> = ReturnType<typeof triggerColumns<T>>
