/** A connector while it is edited. Pure: what the form holds, what is sent, what differs. */
import type { Connector, ConnectorTypeInfo, environments } from '../../../contract/connectors.ts'
import type { createConnector, testConnector } from '../../../contract/connectors.ts'
import type { BodyOf } from '../../../contract/operation.ts'
import type { ReadUrl } from './connection-url.ts'
import { type FieldProblem, problemOf } from './field-problems.ts'
import { unknownHostKey } from './host-key.ts'
import { type FieldSpec, type FieldValues, fieldsOf, initialValues, isWanted, toConfig } from './schema-form.ts'

export type Environment = (typeof environments)[number]

/** Secrets are write-only: kept as they are, replaced by what is typed, or removed. */
export type SecretEdit = { kind: 'keep' } | { kind: 'set'; value: string } | { kind: 'remove' }

export interface ConnectorDraft {
  name: string
  description: string
  environment: Environment
  viewerRaw: boolean
  config: FieldValues
  secrets: Readonly<Record<string, SecretEdit>>
}

export interface ConnectorForm {
  type: string
  configFields: FieldSpec[]
  secretFields: FieldSpec[]
}

export const formOf = (info: ConnectorTypeInfo): ConnectorForm => ({
  type: info.type,
  configFields: fieldsOf(info.config_schema),
  secretFields: fieldsOf(info.secrets_schema),
})

export function draftOf(form: ConnectorForm, connector?: Connector): ConnectorDraft {
  return {
    name: connector?.name ?? '',
    description: connector?.description ?? '',
    environment: connector?.environment ?? 'development',
    viewerRaw: connector?.viewer_raw ?? false,
    config: initialValues(form.configFields, connector?.config),
    secrets: Object.fromEntries(form.secretFields.map(({ name }) => [name, { kind: 'keep' } as const])),
  }
}

/** With what a URL says. */
export const filledFrom = (draft: ConnectorDraft, { config, secrets }: ReadUrl): ConnectorDraft => ({
  ...draft,
  config: { ...draft.config, ...config },
  secrets: {
    ...draft.secrets,
    ...Object.fromEntries(Object.entries(secrets).map(([name, value]) => [name, { kind: 'set', value } as const])),
  },
})

export const isDirty = (draft: ConnectorDraft, first: ConnectorDraft) => JSON.stringify(draft) !== JSON.stringify(first)

export type DraftProblems = Readonly<Record<string, FieldProblem>>

/** A field that a test can do without, for the test tells what belongs into it. */
const isLearned = (field: FieldSpec) => field.name === 'host_key'

/** What keeps the draft from being saved, by field: `name`, `config.host`, … Testing needs neither a name nor the host key. */
export function problemsOf(form: ConnectorForm, draft: ConnectorDraft, purpose: 'save' | 'test'): DraftProblems {
  const problems: Record<string, FieldProblem> = {}
  if (purpose === 'save') {
    const length = draft.name.trim().length
    if (length === 0) problems.name = { code: 'required' }
    else if (length > 200) problems.name = { code: 'too_long', most: 200 }
  }
  for (const field of form.configFields) {
    if (!isWanted(field, draft.config)) continue
    const problem = problemOf(field, draft.config[field.name])
    if (problem?.code === 'required' && purpose === 'test' && isLearned(field)) continue
    if (problem) problems[`config.${field.name}`] = problem
  }
  return problems
}

/** Undefined leaves all secrets as they are. An empty new secret is no secret: the stored one is kept. */
function secretsOf(form: ConnectorForm, draft: ConnectorDraft): Record<string, string | null> | undefined {
  const secrets: Record<string, string | null> = {}
  for (const field of form.secretFields) {
    const { name } = field
    const edit = draft.secrets[name]
    // What was typed before another way of signing in was chosen is not sent.
    if (!edit || !isWanted(field, draft.config)) continue
    if (edit.kind === 'set' && edit.value !== '') secrets[name] = edit.value
    if (edit.kind === 'remove') secrets[name] = null
  }
  return Object.keys(secrets).length > 0 ? secrets : undefined
}

type SaveBody = BodyOf<typeof createConnector>
type TestBody = BodyOf<typeof testConnector>

export function saveBody(form: ConnectorForm, draft: ConnectorDraft): SaveBody {
  const secrets = secretsOf(form, draft)
  return {
    name: draft.name.trim(),
    // The server offered this very type.
    type: form.type as SaveBody['type'],
    config: toConfig(form.configFields, draft.config),
    description: draft.description.trim(),
    environment: draft.environment,
    viewer_raw: draft.viewerRaw,
    ...(secrets ? { secrets } : {}),
  }
}

export function testBody(form: ConnectorForm, draft: ConnectorDraft, connectorId?: number): TestBody {
  const secrets = secretsOf(form, draft)
  const learned = form.configFields.filter((field) => isLearned(field) && draft.config[field.name] === '')
  return {
    type: form.type as TestBody['type'],
    config: {
      ...toConfig(form.configFields, draft.config),
      ...Object.fromEntries(learned.map((field) => [field.name, unknownHostKey])),
    },
    ...(secrets ? { secrets } : {}),
    ...(connectorId === undefined ? {} : { connector_id: connectorId }),
  }
}

/** Names of the fields that differ between two states of a connector, for telling people what a conflict is about. */
export function changedFields(form: ConnectorForm, a: ConnectorDraft, b: ConnectorDraft): string[] {
  const changed: string[] = []
  if (a.name !== b.name) changed.push('name')
  if (a.description !== b.description) changed.push('description')
  if (a.environment !== b.environment) changed.push('environment')
  if (a.viewerRaw !== b.viewerRaw) changed.push('viewer_raw')
  for (const { name } of form.configFields) {
    if (JSON.stringify(a.config[name]) !== JSON.stringify(b.config[name])) changed.push(`config.${name}`)
  }
  return changed
}
