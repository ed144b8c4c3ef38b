import { Select } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import type { Connector } from '../../../contract/connectors.ts'
import type { ConnectorSlot } from '../../../language/task/task.types.ts'
import { useSession } from '../../api/session.ts'
import { paths } from '../../paths.ts'
import classes from './inputs.module.css'
import { useSlotWords } from './use-slot-words.ts'

interface SlotPickersProps {
  slots: Readonly<Record<string, ConnectorSlot>>
  connectors: readonly Connector[]
  mapping: Readonly<Record<string, number>>
  onChoose(slot: string, id: number | null): void
  /** Slots that must be filled now; others may wait (a preview writes to no target). */
  required: readonly string[]
  /** Says of empty required slots that they are. */
  showMissing: boolean
}

/** One picker a slot, offering the connectors whose type fits. */
export function SlotPickers({ slots, connectors, mapping, onChoose, required, showMissing }: SlotPickersProps) {
  const { t } = useTranslation('tasks')
  const { can } = useSession()
  const wordsOf = useSlotWords()
  return Object.entries(slots).map(([name, slot]) => {
    const fitting = connectors.filter((connector) => slot.types.includes(connector.type))
    const id = mapping[name]
    const chosen = fitting.find((connector) => connector.id === id)
    const words = wordsOf(slot)
    const missing = showMissing && id === undefined && required.includes(name)
    return (
      <Select
        key={name}
        label={name}
        description={[words.text, slot.description].filter(Boolean).join(' ·\u00a0')}
        placeholder={t('slots.choose')}
        data={fitting.map((connector) => ({
          value: String(connector.id),
          label:
            connector.environment === 'production' ? `${connector.name} (${t('slots.production')})` : connector.name,
        }))}
        value={id === undefined ? null : String(id)}
        onChange={(value) => onChoose(name, value === null ? null : Number(value))}
        searchable
        allowDeselect={false}
        clearable={!required.includes(name) && fitting.length > 1}
        required={required.includes(name)}
        withAsterisk={false}
        classNames={{ root: chosen?.environment === 'production' ? classes.production : undefined }}
        error={
          fitting.length === 0 ? (
            <>
              {t('slots.none', { types: words.types })}{' '}
              {can('createConnector') ? (
                <Link to={paths.connectorNew({ type: slot.types[0] })} className={classes.inline}>
                  {t('slots.create')}
                </Link>
              ) : null}
            </>
          ) : missing ? (
            t('slots.missing')
          ) : undefined
        }
      />
    )
  })
}
