import { databaseSources } from './sources/databases.ts'
import { otherSources } from './sources/others.ts'
import { webSources } from './sources/web.ts'
import { fileSources } from './sources/files.ts'
import type { SourceKind } from './sources/source.types.ts'
import { collectionTarget } from './targets/collection.ts'
import { httpTarget } from './targets/http.ts'
import { fileTargets } from './targets/files.ts'
import { tableTargets } from './targets/tables.ts'
import type { TargetKind } from './targets/target.types.ts'

export const sources: readonly SourceKind[] = [...fileSources, ...databaseSources, ...webSources, ...otherSources]
export const targets: readonly TargetKind[] = [...tableTargets, ...fileTargets, collectionTarget, httpTarget]
