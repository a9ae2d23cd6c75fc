import type { Labels } from '@sluice/contract';
import { z } from 'zod';
import type { SecretPlace } from '#platform/seal-secret.ts';
import type { Collection } from '../collection.ts';

export interface MirroredTable<
  Entry extends { readonly id: number | string },
  Rows extends Collection<Entry['id'], Entry>,
> {
  readonly name: string;
  readonly id: IdColumn<Entry['id']>;
  /**
   * SELECT statement that ends with a condition, so that a condition on ids can be appended. The table alias is `t`.
   */
  readonly select: string;
  toEntry(row: unknown, openKey: OpenApiKey): Entry;
  createRows(): Rows;
}

/** Returns `null` if the key cannot be opened. */
export type OpenApiKey = (sealed: Buffer, place: SecretPlace) => string | null;

interface IdColumn<Id> {
  readonly type: 'integer' | 'uuid';
  parse(id: string): Id;
}

export const integerId: IdColumn<number> = { type: 'integer', parse: Number };
export const uuidId: IdColumn<string> = { type: 'uuid', parse: String };

interface Column<Value> {
  readonly sql: string;
  readonly type: z.ZodType<Value>;
}

export function column<Value>(sql: string, type: z.ZodType<Value>): Column<Value> {
  return { sql, type };
}

type RowOf<Columns> = {
  readonly [Name in keyof Columns]: Columns[Name] extends Column<infer Value> ? Value : never;
};

export function readColumns<Columns extends Readonly<Record<string, Column<unknown>>>>(
  columns: Columns,
  from: string,
): { readonly select: string; readonly parse: (row: unknown) => RowOf<Columns> } {
  const listed = Object.entries(columns);
  const expressions = listed.map(([name, { sql }]) => `${sql} AS "${name}"`);
  const schema = z.object(Object.fromEntries(listed.map(([name, { type }]) => [name, type])));
  return {
    select: `SELECT ${expressions.join(', ')} FROM ${from}`,
    // safe because the schema is built from these columns
    parse: (row) => schema.parse(row) as RowOf<Columns>,
  };
}

const labelsJson = z
  .record(z.string(), z.string())
  .transform((labels) => (Object.keys(labels).length === 0 ? null : labels));

/** `null` for a row without labels, the usual case. */
export const labelsColumn: Column<Labels | null> = column('t.labels', labelsJson);

/** Returns SQL for a timestamp as wall-clock milliseconds. */
export function toMs(sql: string): string {
  return `(extract(epoch FROM ${sql}) * 1000)::float8`;
}
