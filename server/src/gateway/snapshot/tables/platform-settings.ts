import { z } from 'zod';
import { type Collection, createCollection } from '../collection.ts';
import { column, integerId, type MirroredTable, readColumns } from './mirrored-table.ts';

const { select, parse } = readColumns(
  {
    id: column('t.id', z.number()),
    markupPercent: column('t.markup_percentage::float8', z.number()),
  },
  'platform_settings t WHERE true',
);

/** Settings of the whole installation; one entry. */
type PlatformSettingsEntry = ReturnType<typeof parse>;

export const platformSettings: MirroredTable<
  PlatformSettingsEntry,
  Collection<number, PlatformSettingsEntry>
> = {
  name: 'platform_settings',
  id: integerId,
  select,
  toEntry: parse,
  createRows: createCollection,
};
