import { useState } from 'react'
import type { Connector } from '../../../contract/connectors.ts'
import type { ExplorerPreset } from '../../../contract/explorer-presets.ts'
import { PresetValuesDialog } from './PresetValuesDialog.tsx'
import { ReviewDialog } from './ReviewDialog.tsx'

interface PresetChangeProps {
  connector: Connector
  preset: ExplorerPreset
  /** The table or collection that it changes. */
  resource: string
  onClose: () => void
}

/** Applies a preset that changes rows: its values are asked for, then it is reviewed like every other change. */
export function PresetChange({ connector, preset, resource, onClose }: PresetChangeProps) {
  const { definition } = preset
  const parameters = definition.parameters ?? []
  const [values, setValues] = useState<Record<string, string> | null>(parameters.length === 0 ? {} : null)
  if (values === null)
    return (
      <PresetValuesDialog
        connectorId={connector.id}
        presetId={preset.id}
        parameters={parameters}
        last={{}}
        toReview
        onClose={onClose}
        onRun={setValues}
      />
    )
  return (
    <ReviewDialog
      connector={connector}
      changes={{ resource, definition, parameters: values }}
      onClose={onClose}
      onWritten={onClose}
    />
  )
}
