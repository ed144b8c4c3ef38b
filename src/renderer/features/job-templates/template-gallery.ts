/// <reference types="vite/client" />
/** Ready job templates: files of `resources/gallery/jobs`, over tasks of the gallery. */
import { parseTask } from '../../../language/task/parse-task.ts'
import { galleryTasks, textOf } from '../tasks/gallery.ts'
import { readTemplate } from './template-reader.ts'
import type { TemplateNode } from './template-graph.ts'

export interface GalleryTemplate {
  /** Name of the file. */
  id: string
  /** The comment on the first line. */
  title: string
  description: string
  nodes: readonly TemplateNode[]
  /** Names of the tasks that it ties together, each once. */
  tasks: readonly string[]
  /** Without the title, which is the gallery's. */
  yaml: string
}

const files = import.meta.glob<string>('../../../../resources/gallery/jobs/*.yaml', {
  query: '?raw',
  import: 'default',
  eager: true,
})

function read(path: string, text: string): GalleryTemplate {
  const id = path.slice(path.lastIndexOf('/') + 1, -'.yaml'.length)
  const { job, nodes } = readTemplate(text)
  return {
    id,
    title: /^# (.+)/.exec(text)?.[1]?.trim() ?? job?.name ?? id,
    description: job?.description ?? '',
    nodes,
    tasks: [...new Set(nodes.flatMap((node) => node.task ?? []))],
    yaml: text.replace(/^# .*\n/, ''),
  }
}

let templates: readonly GalleryTemplate[] | undefined

/** All of them, read when the gallery is first opened. */
export function galleryTemplates(): readonly GalleryTemplate[] {
  templates ??= Object.entries(files)
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([path, text]) => read(path, text))
  return templates
}

let byName: ReadonlyMap<string, string> | undefined

/** The YAML of the ready task of this name. */
export function readyTask(name: string): string | undefined {
  byName ??= new Map(galleryTasks().map((task) => [parseTask(task.yaml).task?.name ?? '', textOf(task)]))
  return byName.get(name)
}
