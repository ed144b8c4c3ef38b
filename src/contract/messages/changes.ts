/** Changes of data that people review and confirm. */
export const changes = {
  changes_edits_or_definition: 'Give either `edits` or `definition`',
  changes_need_resource: 'is required: the table or collection to change',
  changes_action: 'must be insert, update, or delete',
  changes_raw_empty: 'has no statement',
  changes_confirmation_gone: 'This confirmation is no longer valid. Review the changes again.',
  changes_confirmation_differs: 'These aren’t the changes that were reviewed. Review them again.',
  changes_connector_changed: 'The connector was changed after the review. Review the changes again.',
  changes_name_required: 'must be the name of the connector, because it is marked production',
  changes_conflict: 'Nothing was written, because the data isn’t as it was reviewed anymore.',
  changes_row_gone: 'This row no longer exists.',
  changes_row_changed: 'Someone else changed this row: <fields>',
  changes_row_ambiguous: 'Several rows have this key: <fields>',
  changes_differ: 'The statements would touch other rows than reviewed.',
  changes_partly:
    '<written> of <all> statements were written, then the system refused one: <problem>. It has no transactions, so what was written stays.',
  changes_outcome_unknown:
    'It is unknown whether the changes were written, because there was no answer. Check the data before you repeat them.',
} as const
