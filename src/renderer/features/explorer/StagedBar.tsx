import { ActionIcon, Button } from '@mantine/core'
import { IconArrowBackUp, IconRowInsertTop, IconX } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { Hint } from '../../ui/Hint.tsx'
import { numberText } from '../../ui/format.ts'
import classes from './changes.module.css'
import foot from './explorer.module.css'
import type { useStaged } from './use-staged.ts'

interface StagedBarProps {
  staged: NonNullable<ReturnType<typeof useStaged>>
  onReview: () => void
}

/** What is staged, and the ways on: review, undo, discard. */
export function StagedBar({ staged, onReview }: StagedBarProps) {
  const { t } = useTranslation('changes')
  const { count, canUndo, add, discard, grid } = staged
  return (
    <div className={classes.bar} data-staged={count > 0 || undefined}>
      <Hint label={t('add')}>
        <Button
          size="compact-xs"
          variant="default"
          className={foot.iconic ?? ''}
          leftSection={<IconRowInsertTop size={14} />}
          onClick={add}
        >
          {t('add')}
        </Button>
      </Hint>
      {canUndo ? (
        <Hint label={t('undo')}>
          <ActionIcon aria-label={t('undo')} onClick={grid.onUndo}>
            <IconArrowBackUp size={14} />
          </ActionIcon>
        </Hint>
      ) : null}
      {count > 0 ? (
        <>
          <Hint label={t('discard')}>
            <ActionIcon aria-label={t('discard')} onClick={discard}>
              <IconX size={14} />
            </ActionIcon>
          </Hint>
          <Button size="compact-xs" onClick={onReview}>
            {t('reviewStaged', { formatted: numberText(count) })}
          </Button>
        </>
      ) : null}
    </div>
  )
}
