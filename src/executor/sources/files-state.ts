import type { SourceState } from '../../contract/executor-protocol.ts'
import { filePattern } from '../connectors/stores/glob.ts'
import type { FileStore, StoredFile } from '../connectors/stores/store.types.ts'
import { EngineError } from '../engine/errors.ts'
import type { StageContext } from '../engine/lane.types.ts'
import { runMessage } from '../../contract/run-messages.ts'

/** Files that a job's task remembers. */
export const mostRemembered = 50_000

/** Files that no earlier run has taken as they are now. */
export function newFiles(files: readonly StoredFile[], state: SourceState | null): StoredFile[] {
  const taken = state?.files ?? {}
  return files.filter((file) => !Object.hasOwn(taken, file.path) || taken[file.path] !== fingerprint(file))
}

function fingerprint({ size, version }: StoredFile): string {
  return `${size} ${version}`
}

/** Keeps what is taken now, and what was taken before and is still there. */
export async function remember(
  taken: readonly StoredFile[],
  listed: readonly StoredFile[],
  glob: string,
  store: FileStore,
  context: StageContext,
): Promise<void> {
  const pattern = filePattern(glob)
  const there = new Set(listed.map((file) => file.path))
  // What another pattern has found, with other arguments, is not asked for unless there is too much of it.
  const before = Object.entries(context.state?.files ?? {}).filter(
    ([path]) => there.has(path) || !pattern.matches(path),
  )
  let kept = [...new Map([...before, ...taken.map((file) => [file.path, fingerprint(file)] as const)])]
  if (kept.length > mostRemembered) kept = await withoutRemoved(kept, there, store)
  if (kept.length > mostRemembered) {
    throw new EngineError(
      'TASK_INVALID',
      runMessage('too_many_remembered', { most: mostRemembered, count: kept.length, place: store.place }),
      { hint: runMessage('too_many_remembered_fix') },
    )
  }
  context.saveState({ files: Object.fromEntries(kept) })
}

async function withoutRemoved(
  entries: [string, string][],
  there: ReadonlySet<string>,
  store: FileStore,
): Promise<[string, string][]> {
  const kept: [string, string][] = []
  for (let at = 0; at < entries.length; at += 50) {
    const batch = entries.slice(at, at + 50)
    const found = await Promise.all(batch.map(async ([path]) => there.has(path) || (await store.find(path)) !== null))
    kept.push(...batch.filter((_, index) => found[index]))
  }
  return kept
}
