export const publicPage = {
  filters: 'Filters of this link',
  expires: 'This link works until {{date}}.',
  failure: {
    gone: {
      title: 'This link doesn’t work',
      text: 'It may have expired, been revoked, or be incomplete. Ask the person who sent it for a new link.',
    },
    offline: { title: 'Can’t reach the server', text: 'Check your connection, then try again.' },
    tooMany: { title: 'Too many requests', text: 'Wait a few seconds, then try again.' },
    filters: {
      title: 'Invalid filters',
      text: 'This dashboard doesn’t accept the filters in the address. Clear the filters, then try again.',
    },
    unavailable: { title: 'Temporarily unavailable', text: 'Try again in a few seconds.' },
  },
}
