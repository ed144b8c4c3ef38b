import { msg } from '../../../contract/messages.ts'
import type { BodyOf } from '../../../contract/operation.ts'
import {
  type SavedView,
  type ViewedList,
  type createSavedView,
  mostSavedViews,
  type updateSavedView,
} from '../../../contract/saved-views.ts'
import type { Caller } from '../../platform/caller.ts'
import type { Platform } from '../../platform/platform.ts'
import { recordName } from '../../platform/record-name.ts'
import { conflict, invalidState, notFound } from '../../platform/refusal.ts'
import { createSavedViewsStore } from './saved-views.store.ts'
import type { SavedViewRow } from './saved-views.table.ts'

const present = ({ user_id: _, ...view }: SavedViewRow): SavedView => view

/** Views of lists, each user’s own: those of others are not found. */
export function createSavedViewsService({ store, clock }: Platform) {
  const views = createSavedViewsStore(store)
  const own = (id: number, caller: Caller): SavedViewRow => views.get(id, caller.user_id) ?? notFound()
  return {
    list: (list: ViewedList | undefined, caller: Caller): SavedView[] => views.list(caller.user_id, list).map(present),

    create: ({ list, address, ...body }: BodyOf<typeof createSavedView>, caller: Caller): SavedView =>
      store.transaction(() => {
        const name = recordName(body.name)
        if (views.isTaken({ user_id: caller.user_id, list, name })) conflict(msg('saved_view_taken', { name }))
        if (views.count(caller.user_id, list) >= mostSavedViews)
          invalidState(msg('saved_views_full', { most: mostSavedViews }))
        return present(views.insert({ user_id: caller.user_id, list, name, address, created_at: clock.iso() }))
      }),

    update: (id: number, body: BodyOf<typeof updateSavedView>, caller: Caller): SavedView =>
      store.transaction(() => {
        const view = own(id, caller)
        const name = body.name === undefined ? view.name : recordName(body.name, { before: view.name })
        if (views.isTaken({ ...view, name })) conflict(msg('saved_view_taken', { name }))
        return present(views.save(id, { name, address: body.address ?? view.address, updated_at: clock.iso() }))
      }),

    remove: (id: number, caller: Caller): void =>
      store.transaction(() => {
        own(id, caller)
        views.remove(id)
      }),
  }
}
export type SavedViewsService = ReturnType<typeof createSavedViewsService>
