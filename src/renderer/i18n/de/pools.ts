import type { pools as english } from '../en/pools.ts'
import type { Translation } from '../translation.ts'

export const pools: Translation<typeof english> = {
  new: 'Pool erstellen …',
  columns: {
    name: 'Name',
    state: 'Status',
    slots: 'Plätze',
    used: 'Belegt',
    waiting: 'Wartend',
    description: 'Beschreibung',
    action: 'Aktion',
  },
  states: { blocked: 'Blockiert', free: 'Frei', full: 'Voll' },
  showWaiting: 'Job-Läufe, die auf den Pool {{name}} warten',
  edit: 'Bearbeiten',
  remove: 'Löschen',
  empty: {
    title: 'Noch keine Pools',
    text: 'Erstellen Sie einen Pool, um zu begrenzen, wie viele Läufe eine Ressource gleichzeitig benutzen. Aufgaben in Job-Vorlagen verwenden ihn mit `pool: warehouse`.',
  },
  form: {
    titleEdit: 'Pool {{name}} bearbeiten',
    name: 'Name',
    nameHint: 'Aufgaben in Job-Vorlagen beziehen sich mit diesem Namen auf den Pool.',
    nameBad: 'Höchstens 63 Buchstaben, Ziffern, _, . und -, beginnend mit einem Buchstaben oder _.',
    nameTaken: 'Ein Pool mit diesem Namen besteht bereits. Geben Sie einen anderen Namen ein.',
    slots: 'Plätze',
    slotsHint: 'Höchstzahl gleichzeitiger Läufe. 0 blockiert alle Läufe.',
    description: 'Beschreibung',
    create: 'Pool erstellen',
    save: 'Speichern',
    saved: 'Pool {{name}} gespeichert',
  },
  removeTitle: 'Pool {{name}} löschen?',
  removeText: 'Aufgaben, die ihn verwenden, sind nicht mehr begrenzt, und wartende starten.',
  removed: 'Pool {{name}} gelöscht',
}
