import type { ReadContext } from '../../shape/shape.types.ts'
import { entryOf, type YamlMap } from '../../yaml/yaml-tree.ts'
import type { TableTarget } from './target.types.ts'
import type { Message } from '../../message.ts'
import { msg } from '../../messages.ts'

/** Reports a `mode` that lacks its key, and a key without effect; false where there is no target without it. `what`: what the key is. */
export function keyFitsMode(
  { mode, key }: Pick<TableTarget, 'mode' | 'key'>,
  node: YamlMap,
  path: string,
  context: ReadContext,
  what: Message,
): boolean {
  const keyed = mode === 'upsert' || mode === 'delete_insert'
  if (keyed && key.length === 0) {
    context.report({
      code: 'upsert_without_key',
      message: msg('upsert_without_key', { mode, meaning: what }),
      hint: msg('add_key_column'),
      path: `${path}.mode`,
      at: entryOf(node, 'mode')?.value.mark ?? node.mark,
    })
    return false
  }
  const keyEntry = entryOf(node, 'key')
  if (!keyed && keyEntry) {
    context.report({
      code: 'key_without_upsert',
      message: msg('key_without_upsert', { mode }),
      hint: msg('set_upsert_or_remove'),
      path: `${path}.key`,
      at: keyEntry.keySpan,
    })
  }
  return true
}
