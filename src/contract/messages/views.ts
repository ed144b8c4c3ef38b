/** Saved views of lists. */
export const views = {
  saved_view_taken: 'You already have a view "<name>" of this list. Choose another name, or update that view.',
  saved_views_full: 'This list already has <most> saved views of yours. Delete one first.',
} as const
