import { keptError, shownParams } from '../../platform/kept-error.ts'
import { msg } from '../../../contract/messages.ts'
import type { SecretsState } from '../../../contract/server-config.ts'
import { type KeyRing, newSecretKey } from '../../platform/key-ring.ts'
import type { Platform } from '../../platform/platform.ts'
import { unavailable } from '../../platform/refusal.ts'
import { remedyOf } from './secrets.rules.ts'
import { type SealedText, createSecretsStore } from './secrets.store.ts'

export type SecretsService = ReturnType<typeof createSecretsService>

export function createSecretsService(platform: Platform) {
  const { store, secrets: box, keys, events, logger } = platform
  const texts = createSecretsStore(store)
  let rotating: Promise<SecretsState> | undefined

  function state(): SecretsState {
    const lost: SecretsState['lost'] = []
    let sealed = 0
    texts.each((text) => {
      sealed += text.secrets.length
      const { kind, id, name, secrets } = text
      if (!box.opens(text.sealed, text.context)) lost.push({ kind, id, name, secrets })
    })
    const kept = lost.length === 0 ? null : keptError(remedyOf(keys.missing, keys.file))
    const [remedy, remedy_params] = [kept?.message ?? null, shownParams(kept?.params ?? null)]
    return { key_place: keys.place, key_id: keys.keys[0].id, sealed, lost, remedy, remedy_params }
  }

  /** Everything that can be opened is sealed with the first key; what cannot stays as it is. */
  function sealAnew(): void {
    const found: (SealedText & { anew: string })[] = []
    texts.wiping(() =>
      store.transaction(() => {
        texts.each((text) => {
          if (isOld(text)) found.push({ ...text, anew: box.seal(box.open(text.sealed, text.context), text.context) })
        })
        for (const { anew, ...text } of found) texts.replace(text, anew)
      }),
    )
  }
  const isOld = ({ sealed, context }: SealedText) => !box.isCurrent(sealed) && box.opens(sealed, context)

  /** The last steps of a rotation: repeating them does no harm, so that one that was killed is ended at the next start. */
  async function retire(): Promise<void> {
    sealAnew()
    texts.each((text) => {
      // A key that opens anything is never let go.
      if (isOld(text)) throw new Error(`The secrets of ${text.kind} ${text.name} were not sealed anew`)
    })
    const [first, ...others] = keys.keys
    await keys.replace([first, ...others.filter(({ retiring }) => !retiring)])
  }

  async function rotate(): Promise<SecretsState> {
    try {
      const old = keys.keys.map((key) => ({ ...key, retiring: true }))
      const next: KeyRing = [newSecretKey(), ...old]
      // On disk before the first text is sealed with it.
      await keys.replace(next)
      await retire()
    } catch (error) {
      logger.error({ err: error }, 'The key to the secrets was not replaced')
      unavailable(msg('key_not_written'))
    }
    logger.info({ key_id: keys.keys[0].id }, 'Every secret was encrypted again with a new key')
    announce()
    return state()
  }

  const announce = () => store.transaction(() => events.append('server.changed', 1, { what: 'secrets' }))

  return {
    state,
    /** Two at once share one. */
    async rotate(): Promise<SecretsState> {
      rotating ??= rotate()
      try {
        return await rotating
      } finally {
        rotating = undefined
      }
    },
    /** Ends a rotation that was cut short, and says which secrets cannot be read. */
    async start(): Promise<void> {
      if (keys.keys.some(({ retiring }) => retiring)) {
        try {
          await retire()
          logger.info({}, 'The replacement of the key to the secrets, which was cut short, is done')
        } catch (error) {
          logger.error(
            { err: error },
            'The replacement of the key to the secrets could not be ended; both keys are kept',
          )
        }
      }
      const { lost, remedy } = state()
      if (lost.length === 0) return
      const records = lost.map(({ kind, name, secrets }) => `${kind} ${name}: ${secrets.join(', ')}`)
      logger.warn(
        { secrets: records },
        `Secrets cannot be read: they were encrypted with a key that is not here. ${remedy}`,
      )
      announce()
    },
  }
}
