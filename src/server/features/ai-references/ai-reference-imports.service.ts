import {
  MAX_REFERENCES_BYTES,
  MAX_REFERENCE_BYTES,
  type ReferenceKind,
  referenceKinds,
} from '../../../contract/ai-references.ts'
import type { Platform } from '../../platform/platform.ts'
import type { RecordImports } from '../../platform/record-imports.ts'
import { createAiReferencesStore } from './ai-references.store.ts'
import type { AiReferencesService } from './ai-references.service.ts'
import type { AiReferenceRow } from './ai-references.table.ts'

interface ReferenceValues {
  name: string
  kind: ReferenceKind
  content: string
}

/** References as bundles bring them: with one version, whose text is a JSON object of name, kind, and content. */
export function createAiReferenceImportsService(
  { store, events, clock }: Pick<Platform, 'store' | 'events' | 'clock'>,
  features: { references: Pick<AiReferencesService, 'index'> },
): RecordImports<ReferenceValues> {
  const references = createAiReferencesStore(store)
  const changed = ({ id, title, kind }: AiReferenceRow) =>
    events.append('ai_reference.changed', id, { title, kind, removed: false })
  const fieldsOf = ({ name, kind, content }: ReferenceValues, tags: string[]) => ({
    title: name,
    kind,
    tags,
    size: Buffer.byteLength(content),
  })
  const contentOf = (row: AiReferenceRow): ReferenceValues => ({
    name: row.title,
    kind: row.kind,
    content: references.content(row.id),
  })

  return {
    find(name) {
      const row = references.getByTitle(name)
      if (!row) return undefined
      const texts = new Map([[1, JSON.stringify(contentOf(row))]])
      return { id: row.id, current_version: 1, archived: false, tags: row.tags, texts, newest: 1 }
    },
    judge(text) {
      const values = read(text)
      const room = MAX_REFERENCES_BYTES - references.total()
      const replaced = values && (references.getByTitle(values.name)?.size ?? 0)
      const fits = values && Buffer.byteLength(values.content) <= Math.min(MAX_REFERENCE_BYTES, room + (replaced ?? 0))
      return values && fits
        ? { valid: true, name: values.name, values, diagnostics: [] }
        : { valid: false, diagnostics: [] }
    },
    create({ values, tags }, created_by) {
      changed(references.insert({ ...fieldsOf(values, tags), created_by, created_at: clock.iso() }, values.content))
      features.references.index()
    },
    change(id, { values, tags }) {
      const row = references.get(id)
      if (!row) throw new Error(`Reference ${id}, just found, is not there`)
      const next = values ?? contentOf(row)
      changed(references.save(row, fieldsOf(next, tags), clock.iso(), next.content))
      features.references.index()
    },
  }
}

/** undefined: not the text of a reference. */
function read(text: string): ReferenceValues | undefined {
  try {
    const value: unknown = JSON.parse(text)
    if (typeof value !== 'object' || value === null) return undefined
    const { name, kind, content }: Partial<Record<string, unknown>> = { ...value }
    const known = referenceKinds.find((one) => one === kind)
    if (typeof name !== 'string' || name.trim() !== name || !/^\P{Cc}{1,200}$/u.test(name)) return undefined
    if (known === undefined || typeof content !== 'string') return undefined
    const sound = content.trim() !== '' && !content.includes('\0') && content.isWellFormed()
    return sound ? { name, kind: known, content } : undefined
  } catch {
    // Said of the record by whoever asked.
    return undefined
  }
}
