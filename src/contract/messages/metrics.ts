/** Metrics. */
export const metrics = {
  metric_unknown: 'There is no metric "<name>"',
  metric_range: 'must be later than `from`',
  metric_too_many_buckets: 'These are more than <most> buckets. Choose longer buckets or a shorter time.',
  metric_too_many_groups: 'These are more than <most> groups. Filter, group by less, or set `limit`.',
} as const
