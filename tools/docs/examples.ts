/** Code of the pages that lives in files of its own (docs/examples), where the tests run it: ```` ```ts examples/first-run.ts ````. */
import { readFileSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const fence = /^```(\w+) (examples\/\S+)\n[\s\S]*?^```$/gm

/** Writes each file into the fences that name it. */
export function updateExamples(root: string): void {
  const docs = join(root, 'docs')
  for (const name of readdirSync(docs).filter((name) => name.endsWith('.md'))) {
    const path = join(docs, name)
    const text = readFileSync(path, 'utf8')
    const updated = text.replaceAll(fence, (_, language: string, file: string) => {
      const content = readFileSync(join(docs, file), 'utf8')
      return `\`\`\`${language} ${file}\n${content}\`\`\``
    })
    if (updated !== text) writeFileSync(path, updated)
  }
}
