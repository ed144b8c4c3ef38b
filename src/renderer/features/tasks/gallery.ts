/// <reference types="vite/client" />
/** Ready tasks to start from: files of `resources/gallery`, part of the window so that they are there without a network. */
import { parseTask } from '../../../language/task/parse-task.ts'
import type { TaskDocument } from '../../../language/task/kinds/task-document.types.ts'

export interface GalleryTask {
  /** Name of the file. */
  id: string
  /** The comment on the first line. */
  title: string
  description: string
  kind: TaskDocument['kind']
  /** The first one says under which heading it stands. */
  tags: readonly string[]
  group: GalleryGroup
  slots: readonly string[]
  /** Types of connectors that it can be bound to. */
  types: readonly string[]
  yaml: string
}

export const galleryGroups = ['files', 'databases', 'web', 'documents', 'steps', 'incremental', 'work'] as const
export type GalleryGroup = (typeof galleryGroups)[number]

const files = import.meta.glob<string>('../../../../resources/gallery/*.yaml', {
  query: '?raw',
  import: 'default',
  eager: true,
})

const groupOf = (tag: string | undefined): GalleryGroup => galleryGroups.find((group) => group === tag) ?? 'work'

function read(path: string, yaml: string): GalleryTask {
  const id = path.slice(path.lastIndexOf('/') + 1, -'.yaml'.length)
  const { task, connector_refs } = parseTask(yaml)
  const tags = task?.tags ?? []
  return {
    id,
    title: /^# (.+)/.exec(yaml)?.[1]?.trim() ?? task?.name ?? id,
    description: task?.description ?? '',
    kind: task?.kind ?? 'pipeline',
    tags,
    group: groupOf(tags[0]),
    slots: Object.keys(connector_refs),
    types: [...new Set(Object.values(connector_refs).flatMap((slot) => slot.types))],
    yaml,
  }
}

let tasks: readonly GalleryTask[] | undefined

/** All of them, read when the gallery is first opened. */
export function galleryTasks(): readonly GalleryTask[] {
  tasks ??= Object.entries(files)
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([path, yaml]) => read(path, yaml))
  return tasks
}

/** The text without the title, which is the gallery's. */
export const textOf = (task: GalleryTask) => task.yaml.replace(/^# .*\n/, '')

/** Tasks that have every word somewhere: in title, description, tags, connector types or the text itself. */
export function findTasks(all: readonly GalleryTask[], search: string): GalleryTask[] {
  const words = search.toLowerCase().split(/\s+/).filter(Boolean)
  return all.filter((task) => {
    const text = `${task.title} ${task.description} ${task.kind} ${task.tags.join(' ')} ${task.types.join(' ')} ${task.yaml}`
    return words.every((word) => text.toLowerCase().includes(word))
  })
}
