import { msg } from '../../../contract/messages.ts'
import { type ConnectorType, connectorTypeSpecs, connectorTypes } from '../../../contract/connector-types.ts'
import type {
  Connector,
  ConnectorTestResult,
  ConnectorTypeInfo,
  createConnector,
  listConnectors,
  testConnector,
} from '../../../contract/connectors.ts'
import type { BoundConnector } from '../../../contract/executor-protocol.ts'
import type { BodyOf, QueryOf } from '../../../contract/operation.ts'
import type { ConnectorSlot } from '../../../language/task/task.types.ts'
import { OwnPlaces } from '../../../process/own-places.ts'
import { ownFolders } from '../../platform/own-folders.ts'
import type { Platform } from '../../platform/platform.ts'
import { keepNameUnique, recordName } from '../../platform/record-name.ts'
import { recordSecrets } from '../../platform/record-secrets.ts'
import { conflict, invalid, notFound } from '../../platform/refusal.ts'
import { connectorSecretsContext } from '../../platform/sealed-columns.ts'
import { secretsToEnterAgain } from '../../platform/secret-places.ts'
import type { CallsService } from '../calls/calls.service.ts'
import { type ShapePart, localPathFields, shapeMistakes } from '../../../contract/connector-shape.ts'
import { checkBinding, mergeSecrets, placesOf } from './connectors.rules.ts'
import { createConnectorsStore } from './connectors.store.ts'
import type { ConnectorRow } from './connectors.table.ts'

/** How long an interactive look at a far system may take. */
const timeouts = { test: 30_000, resources: 30_000 }

type SaveBody = BodyOf<typeof createConnector>
type UnsavedBody = BodyOf<typeof testConnector>

export function createConnectorsService(platform: Platform, { calls }: { calls: CallsService }) {
  const { store, events, clock } = platform
  const connectors = createConnectorsStore(store)
  const secrets = recordSecrets(platform.secrets, 'connector', connectorSecretsContext)

  const need = (id: number): ConnectorRow => connectors.get(id) ?? notFound()
  const changed = (row: ConnectorRow) => events.append('connector.changed', row.id, { name: row.name, type: row.type })
  const withSecrets = (row: ConnectorRow): BoundConnector => ({
    id: row.id,
    name: row.name,
    type: row.type,
    config: row.config,
    secrets: secrets.open(row),
  })
  /** Refuses paths into Headgate's own folders early. Executors check again whenever they open a file. */
  function checkConfig({ type, config }: Pick<SaveBody, 'type' | 'config'>) {
    checkShape(type, 'config', config)
    const look = new OwnPlaces(ownFolders(platform.config)).look()
    const ours = localPathFields(type).filter((field) => look.holds(String(config[field])))
    if (ours.length > 0) {
      const reason = msg('own_place')
      invalid(ours.map((field) => ({ path: `body.config.${field}`, ...reason })))
    }
    return config
  }
  function fields(body: SaveBody, row?: ConnectorRow) {
    const name = recordName(body.name, { before: row?.name })
    const config = checkConfig(body)
    checkShape(body.type, 'secrets', withoutNulls(body.secrets))
    return {
      name,
      type: body.type,
      description: body.description ?? null,
      config,
      ...sealedFields(body, row),
      environment: body.environment ?? ('development' as const),
      viewer_raw: body.viewer_raw ?? false,
      updated_at: clock.iso(),
    }
  }
  function checkDestination(row: ConnectorRow, { config, secrets = {} }: Pick<SaveBody, 'config' | 'secrets'>) {
    const kept = row.secret_names.filter((name) => secrets[name] === undefined)
    const details = secretsToEnterAgain(placesOf(row.type, row.config), placesOf(row.type, config), kept)
    if (details.length > 0) invalid(details)
  }
  function sealedFields(body: SaveBody, row?: ConnectorRow) {
    // Secrets belong to the type they were given for. Lost ones that nobody touches stay: their key may be put back.
    const kept = row?.type === body.type ? row : undefined
    if (kept) checkDestination(kept, body)
    if (kept && !body.secrets && secrets.isLost(kept)) {
      return { sealed_secrets: kept.sealed_secrets, secret_names: kept.secret_names }
    }
    const merged = mergeSecrets(kept ? secrets.openFor(kept, body.secrets ?? {}) : {}, body.secrets)
    return { sealed_secrets: secrets.seal(merged), secret_names: Object.keys(merged).toSorted() }
  }
  /** What somebody has in a form, as an executor takes it; secrets that he left out are the stored ones. */
  function unsaved(body: UnsavedBody): BoundConnector {
    const row = body.connector_id === undefined ? undefined : need(body.connector_id)
    const config = checkConfig(body)
    checkShape(body.type, 'secrets', withoutNulls(body.secrets))
    if (row?.type === body.type) checkDestination(row, body)
    const stored = row && row.type === body.type ? secrets.openFor(row, body.secrets ?? {}) : {}
    return {
      id: row?.id ?? 1,
      name: row?.name ?? 'not saved',
      type: body.type,
      config,
      secrets: mergeSecrets(stored, body.secrets),
    }
  }
  async function tested(connector: BoundConnector, signal: AbortSignal, userId?: number): Promise<ConnectorTestResult> {
    const by: { executor?: string } = {}
    const onTaken = (executor: string) => void (by.executor = executor)
    const result = await calls.call({ kind: 'test', connector }, timeouts.test, signal, { ...of(userId), onTaken })
    return { ...result, ...by }
  }
  const present = (row: ConnectorRow): Connector => shown(row, secrets.shown(row))
  /** The file connector of this very folder, which may be written. */
  function withFolder(root: string): Connector | undefined {
    const row = connectors.ofType('file').find(({ config }) => config['root'] === root && config['read_only'] !== true)
    return row && present(row)
  }
  /** The connectors of a mapping, once it fits the slots; a refusal names every slot that does not. */
  function bound(mapping: Record<string, number>, slots: Record<string, ConnectorSlot>) {
    const known = new Map(connectors.getMany(Object.values(mapping)).map((row) => [row.id, row]))
    const details = checkBinding(mapping, slots, known)
    if (details.length > 0) invalid(details)
    return Object.keys(slots).map((slot) => [slot, known.get(mapping[slot] ?? 0) ?? notFound()] as const)
  }

  const create = (body: SaveBody): Connector =>
    store.transaction(() => {
      const values = fields(body)
      keepNameUnique('connector', values.name, connectors.getByName(values.name))
      const row = connectors.insert({ ...values, created_at: values.updated_at })
      changed(row)
      return present(row)
    })

  return {
    list(query: QueryOf<typeof listConnectors>) {
      const { rows, ...page } = connectors.list(query)
      return { result: rows.map(present), ...page }
    },
    get: (id: number): Connector => present(need(id)),
    /** undefined: there is no such connector. */
    typeOf: (id: number): ConnectorType | undefined => connectors.get(id)?.type,
    /** undefined: there is no connector of this name. */
    named: (name: string) => connectors.getByName(name),
    etag: (id: number) => etagOf(need(id)),

    withFolder,
    /** The same; made where there is none, under a name like this one. */
    ofFolder: (root: string, name: string): Connector =>
      store.transaction(() => {
        const there = withFolder(root)
        if (there) return there
        let free = name
        for (let number = 2; connectors.getByName(free); number++) free = `${name} ${number}`
        return create({ name: free, type: 'file', config: { root } })
      }),
    create,
    update: (id: number, body: SaveBody, guard: (etag: string) => void): Connector =>
      store.transaction(() => {
        const row = need(id)
        guard(etagOf(row))
        const values = fields(body, row)
        keepNameUnique('connector', values.name, connectors.getByName(values.name), id)
        const saved = connectors.save(id, values)
        changed(saved)
        return present(saved)
      }),
    setArchived: (id: number, archived: 0 | 1) =>
      store.transaction(() => {
        const row = need(id)
        if (row.archived !== archived) {
          connectors.setArchived(id, archived, clock.iso())
          changed(row)
        }
        return { success: true }
      }),

    /** `userId`: whose limits count, here and below; absent: the server's own. */
    async test(id: number, signal: AbortSignal, userId?: number) {
      const row = need(id)
      const result = secrets.isLost(row) ? lostResult(row) : await tested(withSecrets(row), signal, userId)
      store.transaction(() => {
        connectors.setLastTest(id, result, clock.iso())
        changed(need(id))
      })
      return result
    },
    testUnsaved: (body: UnsavedBody, signal: AbortSignal, userId: number) => tested(unsaved(body), signal, userId),
    unsaved,

    types: (): ConnectorTypeInfo[] =>
      connectorTypes.map((type) => {
        const { config, secrets: schema, ...info } = connectorTypeSpecs[type]
        return {
          ...info,
          config_schema: { ...config },
          secrets_schema: { ...schema },
          secret_fields: Object.keys(schema.properties),
        }
      }),

    resources: (id: number, q: string | undefined, signal: AbortSignal, userId?: number) =>
      calls.call(
        { kind: 'list_resources', connector: withSecrets(need(id)), q: q ?? null },
        timeouts.resources,
        signal,
        of(userId),
      ),
    resource: (id: number, name: string, signal: AbortSignal, userId?: number) =>
      calls.call(
        { kind: 'get_resource', connector: withSecrets(need(id)), name },
        timeouts.resources,
        signal,
        of(userId),
      ),

    /** The secrets of all connectors that can be opened, to find them in texts. */
    allSecrets: (): string[] =>
      connectors.withSecrets().flatMap((row) => (secrets.isLost(row) ? [] : Object.values(secrets.open(row)))),

    /** A connector in use with its secrets, for an executor to open. */
    opened(id: number): BoundConnector {
      const row = need(id)
      if (row.archived) conflict(msg('connector_archived', { name: row.name }))
      return withSecrets(row)
    },

    /** Why a mapping does not fit the slots, each at body.connector_mapping.<slot>; `owner` is what has the slots. */
    problems(mapping: Record<string, number>, slots: Record<string, ConnectorSlot>, owner: string) {
      const known = new Map(connectors.getMany(Object.values(mapping)).map((row) => [row.id, row]))
      return checkBinding(mapping, slots, known, owner)
    },
    /** What a binding must fit, by id. */
    kinds: (ids: number[]): Map<number, { name: string; type: string; read_only: boolean }> =>
      new Map(
        connectors
          .getMany(ids)
          .map(({ id, name, type, config }) => [id, { name, type, read_only: config['read_only'] === true }]),
      ),
    /** Refuses (VALIDATION_ERROR at body.connector_mapping.<slot>) a mapping that does not fit the slots. */
    check(mapping: Record<string, number>, slots: Record<string, ConnectorSlot>) {
      bound(mapping, slots)
    },
    /** The connectors of a fitting mapping by slot, with their secrets. */
    bind: (mapping: Record<string, number>, slots: Record<string, ConnectorSlot>): Record<string, BoundConnector> =>
      Object.fromEntries(bound(mapping, slots).map(([slot, row]) => [slot, withSecrets(row)])),
  }
}
export type ConnectorsService = ReturnType<typeof createConnectorsService>

const etagOf = (row: ConnectorRow) => `connector-${row.id}-${row.revision}`

function shown(
  { search_text: _, revision: __, sealed_secrets: ___, secret_names: ____, ...row }: ConnectorRow,
  secrets: Connector['secrets'],
): Connector {
  return { ...row, secrets }
}

/** The far system need not be asked. */
function lostResult({ secret_names }: ConnectorRow): ConnectorTestResult {
  const { code: reason, params, message } = msg('secrets_unreadable', { secrets: secret_names })
  const error = { name: 'UnreadableSecret', message }
  return {
    ok: false,
    checks: [{ name: 'secrets', ok: false, message, params: { ...params, reason }, error, duration_ms: 0 }],
  }
}

/** The part of a body that depends on the connector's type, checked against that type's schema. */
function checkShape(type: ConnectorType, part: ShapePart, value: Record<string, unknown>) {
  const mistakes = shapeMistakes(type, part, value)
  if (mistakes.length > 0) invalid(mistakes)
  return value
}
const withoutNulls = (secrets: Record<string, string | null> | undefined) =>
  Object.fromEntries(Object.entries(secrets ?? {}).filter(([, value]) => value !== null))

const of = (userId: number | undefined) => (userId === undefined ? {} : { userId })
