import { ActionIcon, Skeleton } from '@mantine/core'
import { IconArrowsDiff, IconArrowsLeftRight } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { useCommands } from '../../commands/commands.ts'
import { CommandButton } from '../CommandButton.tsx'
import { EmptyState } from '../EmptyState.tsx'
import { ErrorState } from '../ErrorState.tsx'
import { Hint } from '../Hint.tsx'
import { type Crumb, Page } from '../Page.tsx'
import classes from './compare.module.css'
import { useSides } from './use-sides.ts'

/** What was asked for one side. */
interface Side<Data> {
  data: Data | undefined
  error: Error | null
  refetch(): unknown
}

interface ComparePageProps<Data> {
  kind: 'run' | 'jobRun'
  crumbs: readonly Crumb[]
  left: Side<Data>
  right: Side<Data>
  /** Said where the address does not name two records. */
  missing: { title: string; text: string }
  /** Where two records are chosen. */
  list: { id: string; label: string; to: string }
  children(a: Data, b: Data): ReactNode
}

/** Two records side by side, as the address names them. */
export function ComparePage<Data>({ kind, crumbs, left, right, missing, list, children }: ComparePageProps<Data>) {
  const { t } = useTranslation()
  const { a, b, swap } = useSides()
  const both = a !== undefined && b !== undefined
  const failed = left.error ?? right.error
  const compares = both && !failed
  useCommands([
    {
      id: 'compare.swap',
      title: t('compare.swap'),
      icon: IconArrowsLeftRight,
      when: compares,
      shortcut: 's',
      run: swap,
    },
  ])
  function content() {
    if (!both) return <EmptyState icon={IconArrowsDiff} {...missing} action={<CommandButton {...list} />} />
    if (failed) {
      const retry = () => {
        for (const side of [left, right]) if (side.error) void side.refetch()
      }
      const both = left.error && right.error
      return (
        <ErrorState
          error={failed}
          onRetry={retry}
          record={{ kind, id: left.error ? a : b }}
          title={both ? t(`compare.failed.${kind}`, { a, b }) : undefined}
          others={<CommandButton {...list} variant="default" />}
        />
      )
    }
    if (left.data === undefined || right.data === undefined) return <Skeleton height={34} radius={0} />
    return <div className={classes.page}>{children(left.data, right.data)}</div>
  }
  return (
    <Page
      title={both ? t('compare.title', { a, b }) : t('compare.crumb')}
      crumbs={crumbs}
      actions={
        compares ? (
          <Hint label={t('compare.swap')} command="compare.swap">
            <ActionIcon aria-label={t('compare.swap')} onClick={swap}>
              <IconArrowsLeftRight size={16} />
            </ActionIcon>
          </Hint>
        ) : undefined
      }
      layout="fill"
    >
      {content()}
    </Page>
  )
}
