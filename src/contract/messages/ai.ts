/** AI and its references. */
export const ai = {
  reference_too_large: 'must be at most 1 MiB',
  references_full: 'All references together can be at most 64 MiB. Delete one that is no longer needed.',
  reference_unknown: 'There is no reference <id>',
} as const
