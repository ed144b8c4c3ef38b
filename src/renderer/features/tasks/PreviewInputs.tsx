import { IconChevronDown, IconChevronRight } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import type { ParsedTask } from '../../../language/task/parse-task.ts'
import { ArgumentFields } from './ArgumentFields.tsx'
import { SlotPickers } from './SlotPickers.tsx'
import inputClasses from './inputs.module.css'
import classes from './preview.module.css'
import type { RunInputsState } from './use-run-inputs.ts'
import { dash } from '../../ui/nothing.tsx'

interface PreviewInputsProps {
  parsed: ParsedTask
  inputs: RunInputsState
  required: readonly string[]
  opened: boolean
  onToggle(): void
}

/** Connectors and arguments of the preview, folded to one line that says what is chosen. */
export function PreviewInputs({ parsed, inputs, required, opened, onToggle }: PreviewInputsProps) {
  const { t } = useTranslation('tasks')
  const slots = parsed.connector_refs
  const specs = parsed.arguments
  if (Object.keys(slots).length === 0 && Object.keys(specs).length === 0) return null
  const names = Object.keys(slots).map((slot) => {
    const connector = inputs.connectors.find((one) => one.id === inputs.mapping[slot])
    return `${slot}: ${connector?.name ?? dash}`
  })
  const given = Object.keys(specs)
    .filter((name) => (inputs.fields[name] ?? '') !== '')
    .map((name) => `${name} = ${inputs.fields[name]}`)
  return (
    <div className={classes.inputs}>
      <button type="button" className={classes.summary} aria-expanded={opened} onClick={onToggle}>
        {opened ? <IconChevronDown size={14} aria-hidden /> : <IconChevronRight size={14} aria-hidden />}
        <b>{t('preview.inputs')}</b>
        {opened ? null : <span className={classes.chosen}>{[...names, ...given].join(' · ')}</span>}
      </button>
      {opened ? (
        <div className={`${classes.fields} ${inputClasses.grid}`}>
          <SlotPickers
            slots={slots}
            connectors={inputs.connectors}
            mapping={inputs.mapping}
            onChoose={inputs.choose}
            required={required}
            showMissing
          />
          <ArgumentFields
            specs={specs}
            fields={inputs.fields}
            problems={inputs.read.problems}
            showRequired
            onChange={inputs.setField}
          />
        </div>
      ) : null}
    </div>
  )
}
