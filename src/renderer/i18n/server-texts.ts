/**
 * Titles and descriptions that come from the server or from files, in the language of the window: those of settings, of the
 * forms of connectors, of galleries, by their keys. They arrive in English, which is shown where a language has none.
 */
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'

interface Texts {
  title?: string
  description?: string
}
type Fields = Readonly<Record<string, Texts & { 'x-wanted'?: string }>>

export interface ServerTexts {
  readonly settings: Readonly<Record<string, Texts>>
  readonly units: Readonly<Record<string, string>>
  readonly connectorTypes: Readonly<Record<string, Texts & { fields?: Fields }>>
  /** Of connectors, where their type has none of its own. */
  readonly fields: Fields
}

let known: ServerTexts & { gallery: Readonly<Record<string, Texts>> } = emptyTexts()

export function setServerTexts(texts: typeof known = emptyTexts()): void {
  known = texts
}

function emptyTexts(): typeof known {
  return { settings: {}, units: {}, connectorTypes: {}, fields: {}, gallery: {} }
}

export function settingTexts<T extends { key: string; unit?: string | null | undefined }>(setting: T): T {
  const unit = known.units[setting.unit ?? '']
  return { ...setting, ...known.settings[setting.key], ...(unit !== undefined && { unit }) }
}

export const galleryTexts = <T extends { id: string }>(entry: T): T => ({ ...entry, ...known.gallery[entry.id] })

interface ConnectorType {
  type: string
  config_schema: Record<string, unknown>
  secrets_schema: Record<string, unknown>
}

/** Of a type in the language of the window; undefined where that is English. */
export const connectorTitle = (type: string): string | undefined => known.connectorTypes[type]?.title

export function connectorTypeTexts<T extends ConnectorType>(spec: T): T {
  const { fields: own = {}, ...texts } = known.connectorTypes[spec.type] ?? {}
  const inLanguage = (schema: Record<string, unknown>) => {
    // JSON Schema of an object.
    const properties = (schema['properties'] ?? {}) as Record<string, object>
    const fields = Object.entries(properties).map(([name, field]) => [
      name,
      { ...field, ...known.fields[name], ...own[name] },
    ])
    return { ...schema, properties: Object.fromEntries(fields) as object }
  }
  return {
    ...spec,
    ...texts,
    config_schema: inLanguage(spec.config_schema),
    secrets_schema: inLanguage(spec.secrets_schema),
  }
}

/** The same list in the language of the window, made again when that changes. */
export function useInLanguage<List extends readonly unknown[] | undefined, T extends NonNullable<List>[number]>(
  list: List,
  texts: (one: T) => T,
): List {
  const { i18n } = useTranslation()
  const { language } = i18n
  // Only texts change, never the shape.
  // oxlint-disable-next-line react-hooks/exhaustive-deps -- what `texts` says depends on the language
  return useMemo(() => list?.map((one) => texts(one as T)) as List, [list, texts, language])
}
