/** Words of lists that people work in. */
export const lists = {
  history: {
    column: 'Recent runs',
    rate: 'Success rate',
    failure: 'Last failure',
    label_one: 'Last run',
    label_other: 'Last {{count, number}} runs',
    none: 'Not run yet',
    noneEnded: 'None ended yet',
    succeeded: '{{succeeded}} of {{ended}} succeeded',
    lastFailure: 'Last failure',
  },
}
