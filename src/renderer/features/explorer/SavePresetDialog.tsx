import { Select, Stack, Textarea, TextInput } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Connector } from '../../../contract/connectors.ts'
import {
  type ExplorerPreset,
  type ExplorerPresetDefinition,
  createExplorerPreset,
  getExplorerPreset,
  updateExplorerPreset,
} from '../../../contract/explorer-presets.ts'
import { ifMatch } from '../../api/client.ts'
import { useAction, useOperation } from '../../api/queries.ts'
import { DialogFoot } from '../../ui/DialogFoot.tsx'
import { FormDialog } from '../../ui/FormDialog.tsx'
import { failureText } from '../../ui/failure-text.ts'
import { ParameterFields } from './ParameterFields.tsx'
import { rawDefinition, withParameters } from './builder.rules.ts'
import { draftOf, mistakesOf, parameterOf } from './preset-parameters.rules.ts'
import { tableLook, withLook } from './result-look.rules.ts'
import type { ExplorerTab } from './tabs.ts'

interface SavePresetDialogProps {
  tab: ExplorerTab
  connector: Connector
  onSaved: (preset: ExplorerPreset) => void
  onClose: () => void
}

const scopes = ['resource', 'connector', 'everywhere'] as const
type Scope = (typeof scopes)[number]

/** Keeps the query of a tab for everyone, as a new preset or as the one that the tab was opened from. */
export function SavePresetDialog(props: SavePresetDialogProps) {
  const { presetId } = props.tab
  const known = useOperation(getExplorerPreset, { params: { id: presetId ?? 0 } }, { enabled: presetId !== null })
  if (presetId !== null && known.isPending) return null
  return <Dialog {...props} preset={known.data ?? null} />
}

function Dialog({
  tab,
  connector,
  onSaved,
  onClose,
  preset,
}: SavePresetDialogProps & { preset: ExplorerPreset | null }) {
  const { t } = useTranslation('explorer')
  const { t: tUi } = useTranslation()
  const [name, setName] = useState(preset?.name ?? tab.title)
  const [description, setDescription] = useState(preset?.description ?? '')
  const [scope, setScope] = useState<Scope>(preset ? scopeOf(preset) : tab.resource === null ? 'connector' : 'resource')
  const [mode, setMode] = useState<'update' | 'create'>(preset ? 'update' : 'create')
  const [definition] = useState(() => withLook(definitionOf(tab, connector), tab.look ?? tableLook))
  const [drafts, setDrafts] = useState(() => (definition.parameters ?? []).map(draftOf))
  const [tried, setTried] = useState(false)
  const invalidates = ['listExplorerPresets', 'getExplorerPreset'] as const
  const create = useAction(createExplorerPreset, { invalidates })
  const update = useAction(updateExplorerPreset, { invalidates })
  const action = mode === 'create' ? create : update
  const submit = () => {
    setTried(true)
    if (name.trim() === '' || drafts.some((draft) => Object.keys(mistakesOf(draft)).length > 0)) return
    const body = {
      name: name.trim(),
      description: description.trim() || null,
      connector_id: scope === 'everywhere' ? null : connector.id,
      resource: scope === 'resource' ? tab.resource : null,
      definition: { ...definition, ...(drafts.length > 0 && { parameters: drafts.map(parameterOf) }) },
    }
    const done = {
      onSuccess: (saved: ExplorerPreset) => {
        notifications.show({ message: t('presets.saved', { name: saved.name }) })
        onSaved(saved)
      },
    }
    if (mode === 'update' && preset) {
      update.mutate({ params: { id: preset.id }, body, headers: ifMatch(preset) }, done)
    } else create.mutate({ body }, done)
  }
  return (
    <FormDialog opened onClose={onClose} title={t('presets.saveTitle')} size={drafts.length > 0 ? 640 : 460}>
      <form
        noValidate
        onSubmit={(event) => {
          event.preventDefault()
          submit()
        }}
      >
        <Stack gap={12}>
          {preset ? (
            <Select
              label={t('presets.mode')}
              allowDeselect={false}
              data={[
                { value: 'update', label: t('presets.modeUpdate', { name: preset.name }) },
                { value: 'create', label: t('presets.modeCreate') },
              ]}
              value={mode}
              onChange={(next) => setMode(next === 'create' ? 'create' : 'update')}
            />
          ) : null}
          <TextInput
            label={t('presets.name')}
            withAsterisk
            data-autofocus
            value={name}
            error={tried && name.trim() === '' ? tUi('form.required') : undefined}
            onChange={(event) => setName(event.currentTarget.value)}
          />
          <Textarea
            label={t('presets.description')}
            autosize
            minRows={2}
            maxRows={6}
            maxLength={2000}
            value={description}
            onChange={(event) => setDescription(event.currentTarget.value)}
          />
          <Select
            label={t('presets.scope')}
            allowDeselect={false}
            data={scopes
              .filter((one) => one !== 'resource' || tab.resource !== null)
              .map((value) => ({
                value,
                label: t(`presets.scopes.${value}`, { resource: tab.resource, connector: connector.name }),
              }))}
            value={scope}
            onChange={(next) => setScope(next ?? 'connector')}
          />
          {drafts.map((draft, at) => (
            <ParameterFields
              key={draft.name}
              connector={connector}
              draft={draft}
              mistakes={tried ? mistakesOf(draft) : {}}
              onChange={(part) =>
                setDrafts((before) => before.map((one, index) => (index === at ? { ...one, ...part } : one)))
              }
            />
          ))}
          <DialogFoot
            error={action.error ? failureText(action.error) : undefined}
            submitLabel={t('presets.saveButton')}
            busy={action.isPending}
            onCancel={onClose}
          />
        </Stack>
      </form>
    </FormDialog>
  )
}

const definitionOf = (tab: ExplorerTab, { type }: Connector): ExplorerPresetDefinition =>
  tab.builder && tab.definition
    ? withParameters(tab.definition)
    : type === 'mongodb'
      ? rawDefinition(tab, tab.text)
      : { mode: 'raw', rawQuery: tab.text }

const scopeOf = ({ connector_id, resource }: ExplorerPreset): Scope =>
  connector_id === null ? 'everywhere' : resource === null ? 'connector' : 'resource'
