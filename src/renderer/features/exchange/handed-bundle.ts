import { createHandover } from '../../api/handover.ts'

/** A bundle that was dropped or opened somewhere else, on its way to the import. */
export const handedBundles = createHandover<'import', File>()
