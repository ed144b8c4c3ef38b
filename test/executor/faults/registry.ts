import { databaseSources } from './sources/databases.ts'
import { fileSources } from './sources/files.ts'
import type { SourceKind } from './sources/source.types.ts'
import { fileTargets } from './targets/files.ts'
import { tableTargets } from './targets/tables.ts'
import type { TargetKind } from './targets/target.types.ts'

export const sources: readonly SourceKind[] = [...fileSources, ...databaseSources]
export const targets: readonly TargetKind[] = [...tableTargets, ...fileTargets]
