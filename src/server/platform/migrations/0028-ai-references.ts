import type { Migration } from './migration.ts'

/** Texts that prompts for the AI may draw on, and the index of their parts. */
export const aiReferences: Migration = {
  version: 28,
  name: 'ai references',
  up(sqlite) {
    sqlite.exec(`
      CREATE TABLE ai_references (
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        title TEXT NOT NULL UNIQUE,
        kind TEXT NOT NULL CHECK (kind IN ('text', 'markdown', 'schema')),
        tags TEXT NOT NULL,
        size INTEGER NOT NULL,
        search_text TEXT NOT NULL,
        revision INTEGER NOT NULL,
        created_by INTEGER NOT NULL,
        created_at TEXT NOT NULL,
        updated_at TEXT
      ) STRICT;
      -- Apart, so that lists do not read through the texts.
      CREATE TABLE ai_reference_texts (
        reference_id INTEGER PRIMARY KEY REFERENCES ai_references (id) ON DELETE CASCADE,
        content TEXT NOT NULL
      ) STRICT;
      CREATE TABLE ai_reference_parts (
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        reference_id INTEGER NOT NULL REFERENCES ai_references (id) ON DELETE CASCADE,
        heading TEXT NOT NULL,
        text TEXT NOT NULL
      ) STRICT;
      CREATE INDEX ai_reference_parts_by_reference ON ai_reference_parts (reference_id);
      CREATE VIRTUAL TABLE ai_reference_fts USING fts5(
        heading, text, content='ai_reference_parts', content_rowid='id', tokenize='porter unicode61 remove_diacritics 2'
      );
      CREATE TRIGGER ai_reference_part_added AFTER INSERT ON ai_reference_parts BEGIN
        INSERT INTO ai_reference_fts (rowid, heading, text) VALUES (new.id, new.heading, new.text);
      END;
      CREATE TRIGGER ai_reference_part_removed AFTER DELETE ON ai_reference_parts BEGIN
        INSERT INTO ai_reference_fts (ai_reference_fts, rowid, heading, text)
        VALUES ('delete', old.id, old.heading, old.text);
      END;
    `)
  },
}
