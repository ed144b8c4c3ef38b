// A parent of a parent: forks echo.ts and tells its pid, so that a test can kill this process and look for orphans.
import { join } from 'node:path'
import { forkNode } from '../../../src/process/child.ts'
import { parentChannel } from '../../../src/process/parent.ts'

const echo = forkNode(join(import.meta.dirname, 'echo.ts'), { name: 'echo' })
echo.onMessage(() => parentChannel()?.send({ grandchild: echo.pid }))
