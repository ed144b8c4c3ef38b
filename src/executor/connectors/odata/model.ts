import type { SaxesTagNS } from 'saxes'
import { EngineError, messageOf } from '../../engine/errors.ts'
import { runMessage } from '../../../contract/run-messages.ts'

/** What an OData service says of itself in `$metadata`: entity sets, types, and what hangs on what. */
export interface ODataModel {
  /** Name of the set or singleton → name of its type. */
  sets: Map<string, string>
  types: Map<string, StructuredType>
  /** Names of enumerations, and of types that are others under another name. */
  enums: Set<string>
  definitions: Map<string, string>
}

export interface StructuredType {
  name: string
  base: string | null
  properties: Map<string, Property>
  navigation: Map<string, Pick<Property, 'type' | 'collection'>>
  key: string[]
  /** Its entities may have properties that are not described. */
  open: boolean
}

export interface Property {
  name: string
  /** Without `Collection(…)`. */
  type: string
  collection: boolean
  nullable: boolean
  precision: number | null
  /** null: not said, or variable. */
  scale: number | null
}

const deepest = 100

export async function parseModel(xml: string, what: string): Promise<ODataModel> {
  const { SaxesParser } = await import('saxes')
  const model: ODataModel = { sets: new Map(), types: new Map(), enums: new Set(), definitions: new Map() }
  const reader = new ModelReader(model)
  const parser = new SaxesParser({ xmlns: true })
  parser.on('opentag', (tag) => reader.open(tag))
  parser.on('closetag', () => reader.close())
  parser.on('doctype', () => {
    throw new Error('A document type is not allowed here')
  })
  parser.on('error', (error) => {
    throw error
  })
  try {
    parser.write(xml.startsWith('\ufeff') ? xml.slice(1) : xml).close()
  } catch (error) {
    if (error instanceof EngineError) throw error
    throw new EngineError('RESPONSE_INVALID', runMessage('not_odata_description', { what, cause: messageOf(error) }), {
      hint: runMessage('not_odata_description_fix'),
      cause: error,
    })
  }
  return reader.finish(what)
}

/** Walks through the elements; names with an alias are turned into full ones at the end. */
class ModelReader {
  readonly #model: ODataModel
  readonly #path: string[] = []
  readonly #aliases = new Map<string, string>()
  #namespace = ''
  #type: StructuredType | null = null
  #version = ''

  constructor(model: ODataModel) {
    this.#model = model
  }

  open(tag: SaxesTagNS): void {
    const attribute = (name: string): string | undefined => tag.attributes[name]?.value
    const parent = this.#path.at(-1)
    this.#path.push(tag.local)
    if (this.#path.length > deepest) throw new Error('It is nested too deeply')
    const name = attribute('Name') ?? ''
    switch (tag.local) {
      case 'Edmx':
        this.#version = attribute('Version') ?? ''
        break
      case 'Schema':
        this.#namespace = attribute('Namespace') ?? ''
        if (attribute('Alias') !== undefined) this.#aliases.set(attribute('Alias') ?? '', this.#namespace)
        break
      case 'EntityType':
      case 'ComplexType':
        this.#type = {
          name: `${this.#namespace}.${name}`,
          base: attribute('BaseType') ?? null,
          properties: new Map(),
          navigation: new Map(),
          key: [],
          open: attribute('OpenType') === 'true',
        }
        this.#model.types.set(this.#type.name, this.#type)
        break
      case 'EnumType':
        this.#model.enums.add(`${this.#namespace}.${name}`)
        break
      case 'TypeDefinition':
        this.#model.definitions.set(`${this.#namespace}.${name}`, attribute('UnderlyingType') ?? 'Edm.String')
        break
      case 'PropertyRef':
        if (parent === 'Key') this.#type?.key.push(name)
        break
      case 'Property':
        this.#type?.properties.set(name, { name, ...typeOf(attribute('Type')), ...facets(attribute) })
        break
      case 'NavigationProperty':
        this.#type?.navigation.set(name, typeOf(attribute('Type')))
        break
      case 'EntitySet':
      case 'Singleton':
        this.#model.sets.set(name, attribute('EntityType') ?? attribute('Type') ?? '')
        break
    }
  }

  close(): void {
    const local = this.#path.pop()
    if (local === 'EntityType' || local === 'ComplexType') this.#type = null
  }

  finish(what: string): ODataModel {
    if (!this.#version.startsWith('4')) {
      throw new EngineError(
        'RESPONSE_INVALID',
        this.#version === ''
          ? runMessage('xml_without_odata', { what })
          : runMessage('odata_version', { version: this.#version.slice(0, 20) }),
        { hint: runMessage('xml_without_odata_fix') },
      )
    }
    const model = this.#model
    const full = (name: string): string => this.#full(name)
    for (const [name, type] of model.sets) model.sets.set(name, full(type))
    for (const type of model.types.values()) {
      if (type.base !== null) type.base = full(type.base)
      for (const property of [...type.properties.values(), ...type.navigation.values()])
        property.type = full(property.type)
    }
    return model
  }

  #full(name: string): string {
    const at = name.lastIndexOf('.')
    const namespace = this.#aliases.get(name.slice(0, at))
    return namespace === undefined ? name : `${namespace}${name.slice(at)}`
  }
}

function typeOf(written: string | undefined): Pick<Property, 'type' | 'collection'> {
  const inner = /^Collection\((.*)\)$/.exec(written ?? '')?.[1]
  return { type: inner ?? written ?? 'Edm.String', collection: inner !== undefined }
}

function facets(attribute: (name: string) => string | undefined): Pick<Property, 'nullable' | 'precision' | 'scale'> {
  const number = (name: string): number | null => {
    const written = attribute(name)
    return written !== undefined && /^\d{1,4}$/.test(written) ? Number(written) : null
  }
  return { nullable: attribute('Nullable') !== 'false', precision: number('Precision'), scale: number('Scale') }
}

/** The properties of a type, those that it inherits first. */
export function propertiesOf(model: ODataModel, type: StructuredType): Property[] {
  return lineage(model, type).flatMap((one) => [...one.properties.values()])
}

export function keyOf(model: ODataModel, type: StructuredType): string[] {
  return lineage(model, type).flatMap((one) => one.key)
}

/** What a name means in a type: a property, or where a navigation property leads. */
export function memberOf(
  model: ODataModel,
  type: StructuredType,
  name: string,
): Pick<Property, 'type' | 'collection'> | null {
  for (const one of lineage(model, type)) {
    const found = one.properties.get(name) ?? one.navigation.get(name)
    if (found) return found
  }
  return null
}

/** From the topmost base down. */
function lineage(model: ODataModel, type: StructuredType): StructuredType[] {
  const line: StructuredType[] = []
  for (let at: StructuredType | undefined = type; at && !line.includes(at);) {
    line.unshift(at)
    at = at.base === null ? undefined : model.types.get(at.base)
  }
  return line
}

/** The primitive behind a name: `Edm.…`, `enum`, or null for what has parts of its own. */
export function primitiveOf(model: ODataModel, type: string): string | null {
  if (model.enums.has(type)) return 'enum'
  const primitive = model.definitions.get(type) ?? type
  return primitive.startsWith('Edm.') && !/^Edm\.(Geo|ComplexType|EntityType|Untyped|PrimitiveType)/.test(primitive)
    ? primitive
    : null
}

/** The type of the entities at a path such as `Customers(42)/Orders`; null where it cannot be told. */
export function typeAtPath(model: ODataModel, path: string): StructuredType | null {
  const bare = path.replace(/\((?:'(?:[^']|'')*'|[^()'])*\)/g, '').replace(/^\/+|\/+$/g, '')
  let at: StructuredType | null = null
  for (const [index, segment] of bare.split('/').entries()) {
    const name: string | undefined =
      index === 0
        ? model.sets.get(segment)
        : segment.includes('.')
          ? segment
          : at
            ? memberOf(model, at, segment)?.type
            : undefined
    at = (name === undefined ? undefined : model.types.get(name)) ?? null
    if (at === null) return null
  }
  return at
}
