// Runs one benchmark module in this process and prints its figures as the last line of stdout.
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { BenchResult } from './result.ts'

const name = process.argv[2]
const file = pathToFileURL(join(import.meta.dirname, `${name}.bench.ts`)).href
// Every *.bench.ts exports run().
const { run } = (await import(file)) as { run(): Promise<BenchResult[]> }
const results = await run()
process.stdout.write(`${JSON.stringify(results)}\n`, () => process.exit(0))
