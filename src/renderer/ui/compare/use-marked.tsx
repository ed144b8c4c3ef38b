import { IconArrowsDiff } from '@tabler/icons-react'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { CommandButton } from '../CommandButton.tsx'
import type { TableSelection } from '../table.types.ts'
import { useAddressChoice } from '../use-address-part.ts'

/** Two are compared; the address holds a few more while somebody chooses. */
const mostMarked = 50

/** Rows of a list that are marked, in the address. */
export function useMarked(): TableSelection {
  const [marked, mark] = useAddressChoice('marked')
  const selected = useMemo(() => new Set(marked?.split(',')), [marked])
  return { selected, onChange: (next) => mark([...next].slice(0, mostMarked).join(',') || null) }
}

/** Two marked rows are compared, the older one left. */
export function CompareMarked({
  selected,
  hint,
  command,
  to,
}: {
  selected: ReadonlySet<string>
  /** Said while another number of rows is marked. */
  hint: string
  command: string
  to(a: number, b: number): string
}) {
  const { t } = useTranslation()
  const [a, b] = [...selected].map(Number).toSorted((x, y) => x - y)
  if (selected.size === 2 && a !== undefined && b !== undefined) {
    return (
      <CommandButton
        id={command}
        label={t('compare.two', { a, b })}
        to={to(a, b)}
        variant="default"
        icon={IconArrowsDiff}
        shortcut="d"
      />
    )
  }
  return selected.size > 0 ? <span>{hint}</span> : null
}
