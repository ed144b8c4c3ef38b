import { ActionIcon, NumberInput } from '@mantine/core'
import { IconArrowRight } from '@tabler/icons-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Hint } from '../../ui/Hint.tsx'
import classes from './explorer.module.css'

/** Rows that nobody has scrolled to yet are reached by their number. */
export function GoToRow({ onGo }: { onGo: (row: number) => Promise<void> }) {
  const { t } = useTranslation('explorer')
  const [row, setRow] = useState<number | string>('')
  const [busy, setBusy] = useState(false)
  const go = () => {
    if (typeof row !== 'number' || row < 1) return
    setBusy(true)
    // Why it did not come stands above: the result tells.
    void onGo(row - 1)
      .catch(() => undefined)
      .finally(() => setBusy(false))
  }
  return (
    <form
      className={classes.goTo}
      onSubmit={(event) => {
        event.preventDefault()
        go()
      }}
    >
      <NumberInput
        size="xs"
        w={116}
        hideControls
        min={1}
        allowDecimal={false}
        aria-label={t('result.goTo')}
        placeholder={t('result.goTo')}
        value={row}
        onChange={setRow}
      />
      <Hint label={t('result.goTo')}>
        <ActionIcon type="submit" aria-label={t('result.goToRow')} loading={busy}>
          <IconArrowRight size={14} />
        </ActionIcon>
      </Hint>
    </form>
  )
}
