import { roleNames } from '@sluice/contract';
import { z } from 'zod';
import type { DeviationState } from '#domain/deviation/fold.ts';
import { type Collection, createCollection } from '../collection.ts';
import { column, integerId, type MirroredTable, readColumns, toMs } from './mirrored-table.ts';

const pace = z.object({ hourStartMs: z.number(), requests: z.number(), usual: z.number() });
const recentAsks = z.object({ hashes: z.array(z.string()), values: z.record(z.string(), z.number()) });

const { select, parse } = readColumns(
  {
    id: column('t.id', z.number()),
    tenantId: column('t.tenant_id', z.number()),
    name: column('t.name', z.string()),
    email: column('t.email', z.string()),
    role: column('r.name', z.enum(roleNames)),
    isActive: column('t.is_active', z.boolean()),
    blockedReason: column(
      `CASE WHEN t.is_blocked THEN COALESCE(t.blocked_reason, '') END`,
      z.string().nullable(),
    ),
    tokenVersion: column('t.token_version', z.number()),
    score: column('t.deviation_score', z.number()),
    scoredAtMs: column(toMs('t.deviation_scored_at'), z.number().nullable()),
    pace: column('t.deviation_pace', pace.nullable()),
    recent: column('t.deviation_recent', recentAsks.nullable()),
  },
  'users t JOIN roles r ON r.id = t.role_id WHERE true',
);

type UserRow = ReturnType<typeof parse>;

export interface UserEntry extends Omit<UserRow, keyof DeviationState> {
  /** Score when the row was last read; a change of only the score is not announced. */
  readonly deviation: DeviationState;
}

export const users: MirroredTable<UserEntry, Collection<number, UserEntry>> = {
  name: 'users',
  id: integerId,
  select,
  toEntry(row) {
    const { score, scoredAtMs, pace, recent, ...user } = parse(row);
    return { ...user, deviation: { score, scoredAtMs, pace, recent } };
  },
  createRows: createCollection,
};
