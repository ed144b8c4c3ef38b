import type { Connector } from '../../../contract/connectors.ts'
import type { ArgumentSpec, ConnectorSlot } from '../../../language/task/task.types.ts'
import classes from '../../ui/document/dialogs.module.css'
import { ArgumentFields } from './ArgumentFields.tsx'
import { SlotPickers } from './SlotPickers.tsx'
import type { Fields, ReadArguments } from './argument-fields.ts'
import inputClasses from './inputs.module.css'

interface InputFieldsProps {
  slots: Readonly<Record<string, ConnectorSlot>>
  specs: Readonly<Record<string, ArgumentSpec>>
  inputs: {
    connectors: readonly Connector[]
    mapping: Record<string, number>
    choose(slot: string, id: number | null): void
    fields: Fields
    setField(name: string, text: string): void
    read: ReadArguments
  }
  headings: { connectors: string; arguments: string }
  /** Says of what must be given, and is not, that it is missing. */
  tried: boolean
}

/** Every connector and every argument that a text asks for, each part under its heading; nothing where it asks for none. */
export function InputFields({ slots, specs, inputs, headings, tried }: InputFieldsProps) {
  const names = Object.keys(slots)
  return (
    <>
      {names.length > 0 ? (
        <>
          <h2 className={classes.heading}>{headings.connectors}</h2>
          <div className={inputClasses.grid}>
            <SlotPickers
              slots={slots}
              connectors={inputs.connectors}
              mapping={inputs.mapping}
              onChoose={inputs.choose}
              required={names}
              showMissing={tried}
            />
          </div>
        </>
      ) : null}
      {Object.keys(specs).length > 0 ? (
        <>
          <h2 className={classes.heading}>{headings.arguments}</h2>
          <div className={inputClasses.grid}>
            <ArgumentFields
              specs={specs}
              fields={inputs.fields}
              problems={inputs.read.problems}
              showRequired={tried}
              onChange={inputs.setField}
            />
          </div>
        </>
      ) : null}
    </>
  )
}
