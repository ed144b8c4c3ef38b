/** What random faults follow from: the same each time in `npm test`, others in `npm run faults`. */
export const seed = Number(process.env.HEADGATE_FAULT_SEED ?? 98)
