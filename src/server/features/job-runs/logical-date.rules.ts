import { localTime } from '../../platform/zones.ts'

/**
 * The logical date of a job run as expressions and tasks see it: ISO 8601 with the offset of its zone, so that the day in it is
 * the day of the trigger or the backfill; in UTC with `Z`.
 */
export const seenLogicalDate = ({ logical_date, timezone }: { logical_date: string; timezone: string }): string =>
  timezone === 'UTC' ? logical_date : localTime(Date.parse(logical_date), timezone, 23)
