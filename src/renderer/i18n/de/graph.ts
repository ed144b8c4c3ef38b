import type { graph as english } from '../en/graph.ts'
import type { Translation } from '../translation.ts'

export const graph: Translation<typeof english> = {
  label: 'Graph mit {{count, number}} Aufgaben. Pfeiltasten folgen den Kanten, Eingabe wählt aus',
  zoomIn: 'Vergrößern',
  zoomOut: 'Verkleinern',
  fit: 'Einpassen',
  right: 'Von links nach rechts',
  down: 'Von oben nach unten',
  map: 'Übersichtskarte',
  showMap: 'Übersichtskarte zeigen',
  hideMap: 'Übersichtskarte ausblenden',
  approval: 'Freigabe',
  gate: 'Freigabe',
  task: 'Aufgabe',
  table: 'Tabelle',
  file: 'Datei',
  collection: 'Collection',
  entity_set: 'Entitätsmenge',
  path: 'API-Pfad',
  query: 'Abfrage',
  waiting: 'Der Graph wird angeordnet …',
  failed: 'Der Graph konnte nicht angeordnet werden',
}
