// Runs a task in a process of its own, which the test ends at its worst moment: `node run-plan.ts <plan.json> <temp folder>`.
import { readFileSync } from 'node:fs'
import type { RunPlan } from '../../../../src/contract/executor-protocol.ts'
import { runTask } from '../../../../src/executor/engine/run-task.ts'
import { silentIo } from '../../../support/silent-io.ts'

const [planFile = '', tempDir = ''] = process.argv.slice(2)
const outcome = await runTask(JSON.parse(readFileSync(planFile, 'utf8')) as RunPlan, silentIo(tempDir))
console.log(JSON.stringify(outcome))
