import type { UnreadyReason } from '@sluice/contract';
import { expect, it } from 'vitest';
import { createReadiness } from './readiness.ts';

interface State {
  database: UnreadyReason | null;
  isFresh: boolean;
  isLive: boolean;
  journal: UnreadyReason | null;
  node: UnreadyReason | null;
}

const well: State = { database: null, isFresh: true, isLive: true, journal: null, node: null };
const unreachable = 'database_unreachable';
const readOnly = 'database_read_only';

it.each<[string, Partial<State>, UnreadyReason | null, UnreadyReason | null]>([
  ['all is well', {}, null, null],
  ['the database is away', { database: unreachable }, null, unreachable],
  ['the database is read-only', { database: readOnly }, null, readOnly],
  ['the snapshot is too old', { database: unreachable, isFresh: false }, unreachable, null],
  ['the leases have expired', { database: unreachable, isLive: false }, unreachable, null],
  ['leases expired on a read-only database', { database: readOnly, isLive: false }, readOnly, null],
  ['leases expired for no known reason', { isLive: false }, unreachable, null],
  ['the journal is full as well', { database: unreachable, journal: 'journal_full' }, 'journal_full', null],
  ['the disk is full as well', { database: unreachable, node: 'data_folder_full' }, 'data_folder_full', null],
  ['it drains as well', { database: unreachable, node: 'draining' }, 'draining', null],
])(
  'createReadiness distinguishes ready, degraded and unready nodes: %s',
  (_name, changed, unready, degraded) => {
    const { database, isFresh, isLive, journal, node } = { ...well, ...changed };
    const announcing = new AbortController();
    const readiness = createReadiness({
      steps: { announced: announcing.signal, announce: () => announcing.abort() },
      changes: { unreadiness: () => database, failure: () => null, isFresh: () => isFresh },
      journal: { unreadiness: () => journal },
      node: { isLive: () => isLive },
    });
    readiness.noteUnready(node);
    expect([readiness.unreadiness(), readiness.degradation()]).toEqual([unready, degraded]);
  },
);
