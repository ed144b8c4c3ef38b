import { basename } from 'node:path'
import { type Message, msg } from '../../../contract/messages.ts'
import { keptError, shownParams } from '../../platform/kept-error.ts'
import { settingMistake } from '../../platform/config.setting-kinds.ts'
import { createHash } from 'node:crypto'
import type { Role } from '../../../contract/roles.ts'
import type { ServerConfig } from '../../../contract/server-config.ts'
import { hold } from '../../platform/config.hold.ts'
import { type SecretKey, openSettingSecrets, secretKeys, settingContext } from '../../platform/config.secrets.ts'
import { type SettingKey, type Settings, crossMistakes, settingKeys, settings } from '../../platform/config.settings.ts'
import { rememberBackupFolder } from '../../platform/own-folders.ts'
import type { Platform } from '../../platform/platform.ts'
import { Refusal, conflict, invalid } from '../../platform/refusal.ts'
import { createSettingSecretsStore } from '../../platform/setting-secrets.store.ts'
import { type FileNow, type ParsedFile, createConfigFile, parseConfig } from './config-file.ts'
import {
  type Changes,
  type Sources,
  aiKeyDetails,
  crossDetails,
  merged,
  present,
  readChanges,
  sameValue,
  superadminDetails,
} from './server-config.rules.ts'

export interface Answered {
  config: ServerConfig
  etag: string
}

export function createServerConfigService(platform: Platform) {
  const { config, store, secrets, events, clock, logger } = platform
  const { held, argument, environment } = config.settings
  const file = createConfigFile(config.dataDir)
  const rows = createSettingSecretsStore(store.sqlite)

  const sourcesWith = (values: Partial<Settings>): Sources => ({
    argument,
    environment,
    file: values,
    // The log has told of those that cannot be opened at the start.
    store: openSettingSecrets(rows, secrets, { warn: () => {} }),
  })
  /** Of the file's bytes and of the secrets that stand in the store instead. */
  const etagOf = (now: FileNow) =>
    createHash('sha256')
      .update(file.digest(now))
      .update(JSON.stringify(rows.all().map(({ key, updated_at }) => [key, updated_at])))
      .digest('hex')
      .slice(0, 32)

  function answer(now: FileNow, { values, mistake }: ParsedFile): Answered {
    const sources = sourcesWith(values)
    // With a broken file the next start fails; until then what holds goes on.
    const next = mistake ? held : merged(sources)
    const [cross] = mistake ? [] : crossMistakes(next)
    const list = settingKeys.map((key) => present(key, held, next, sources))
    const kept = mistake ? keptError(mistakeAt(file.path, mistake)) : cross ? keptError(settingMistake(cross)) : null
    const [problem, problem_params] = [kept?.message ?? null, shownParams(kept?.params ?? null)]
    const pending = list.some(({ restart_pending }) => restart_pending)
    return {
      config: { file: file.path, settings: list, restart_pending: pending, problem, problem_params },
      etag: etagOf(now),
    }
  }

  /** Secrets of the file that are about to leave it are in the store before they do. */
  function keepSecretsOf(values: Partial<Settings>): void {
    const at = clock.iso()
    const plain = secretKeys.filter((key) => (values[key] ?? null) !== null)
    if (plain.length === 0) return
    store.transaction(() => {
      for (const key of plain) save(key, values[key]!, at)
    })
  }
  const save = (key: SecretKey, value: string, updated_at: string) =>
    rows.save({ key, sealed_value: secrets.seal(value, settingContext(key)), updated_at })

  /** Secrets go to the store, the rest to the file; both or neither, unless the machine dies in between. */
  function write(now: FileNow, text: string, changes: Changes): void {
    let written = false
    try {
      store.transaction(() => {
        for (const key of secretKeys) {
          const value = changes[key]
          if (typeof value === 'string') save(key, value, clock.iso())
          else if (value === null) rows.remove(key)
        }
        events.append('server.changed', 1, { what: 'config' })
        if (text !== now.text) {
          file.write(text)
          written = true
        }
      })
    } catch (error) {
      if (written) file.write(now.text)
      throw error
    }
  }

  /** Whatever can change while the server runs does. */
  function holdLive(next: Settings): void {
    const put = (key: SettingKey) => hold(config, key, next[key])
    for (const key of settingKeys) {
      if (!settings[key].needsRestart && !sameValue(held[key], next[key])) put(key)
    }
  }

  return {
    async read(): Promise<Answered> {
      const now = file.read()
      return answer(now, await parseConfig(now.text, file.path))
    },

    async change(
      values: Readonly<Record<string, unknown>>,
      role: Role,
      ifMatch: (etag: string) => void,
    ): Promise<Answered> {
      // Everything is loaded by here: from the reading of the file to its writing nobody else has a turn.
      const { editConfig } = await import('../../platform/config.edit.ts')
      const before = file.read()
      const parsed = await parseConfig(before.text, file.path)
      const now = file.read()
      if (now.text !== before.text) conflict(msg('config_changed'))
      ifMatch(etagOf(now))
      if (parsed.mistake) refuseBroken(file.path, parsed.mistake)
      const sources = sourcesWith(parsed.values)
      const { changes, details } = readChanges(values, sources)
      if (details.length > 0) invalid(details)
      const reserved = role === 'superadmin' ? [] : superadminDetails(changes, sources)
      if (reserved.length > 0) {
        const key = reserved.map(({ params }) => params.key).join(', ')
        throw new Refusal('FORBIDDEN', msg('setting_superadmin', { key }), { details: reserved })
      }
      const wanted = applied(sources, changes)
      const next = merged(wanted)
      const cross = crossDetails(next, changes)
      if (cross.length > 0) invalid(cross)
      const storedKey = rows.all().some(({ key }) => key === 'ai.api_key')
      const again = aiKeyDetails(merged(sources), next, changes, storedKey)
      if (again.length > 0) invalid(again)
      const edits: Changes = { ...changes }
      for (const key of secretKeys) if (key in parsed.values || key in changes) edits[key] = null
      const text = Object.keys(edits).length > 0 ? editConfig(now.text, file.path, edits) : now.text
      if (text === undefined) {
        invalid([{ path: 'config.yaml', ...msg('uses_anchors') }], msg('config_anchors', { path: file.path }))
      }
      keepSecretsOf(parsed.values)
      rememberBackupFolder(config.dataDir, next['backup.folder'])
      write(now, text, changes)
      holdLive(next)
      logger.info({ settings: Object.keys(changes) }, 'Settings were changed')
      const after = file.read()
      return answer(after, await parseConfig(after.text, file.path))
    },
  }
}
export type ServerConfigService = ReturnType<typeof createServerConfigService>

/** The sources as they will be. */
function applied(sources: Sources, changes: Changes): Sources {
  const file: Record<string, unknown> = { ...sources.file }
  const stored: Record<string, unknown> = { ...sources.store }
  for (const key of secretKeys) {
    if ((file[key] ?? null) !== null) stored[key] = file[key]
    delete file[key]
  }
  for (const [key, value] of Object.entries(changes)) {
    const target = secretKeys.some((secret) => secret === key) ? stored : file
    if (value === null) delete target[key]
    else target[key] = value
  }
  return { ...sources, file, store: stored }
}

function refuseBroken(path: string, { what, line, column }: NonNullable<ParsedFile['mistake']>): never {
  invalid(
    [{ path: 'config.yaml', ...msg('config_mistake_is', { problem: what }), line, column }],
    msg('config_mistake', { path, line, column }),
  )
}

const mistakeAt = (path: string, { what, line, column }: NonNullable<ParsedFile['mistake']>): Message =>
  msg('config_at', { file: basename(path), line, column, problem: what, path })
