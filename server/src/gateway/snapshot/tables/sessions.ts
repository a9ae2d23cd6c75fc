import { z } from 'zod';
import { type Collection, createCollection } from '../collection.ts';
import { column, type MirroredTable, readColumns, uuidId } from './mirrored-table.ts';

const { select, parse } = readColumns(
  { id: column('t.id', z.string()) },
  'sessions t WHERE t.ended_at IS NOT NULL AND t.expires_at > now()',
);

/** A session that ended before its token expires. */
type EndedSessionEntry = ReturnType<typeof parse>;

export const endedSessions: MirroredTable<EndedSessionEntry, Collection<string, EndedSessionEntry>> = {
  name: 'sessions',
  id: uuidId,
  select,
  toEntry: parse,
  createRows: createCollection,
};
