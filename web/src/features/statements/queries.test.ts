import type { StatementRow } from '@sluice/contract';
import { describe, expect, it } from 'vitest';
import { compareWithLedger, findRequests } from './queries.ts';

const amounts = { requests: 1, tokens: 1, self_managed_usd: 0, service_managed_usd: 0, cost_usd: 0 };
const days = { first_day: '2026-10-01', last_day: '2026-10-31' };
const place = { start: '2026-10-01', end: '2026-10-31', status: 'admitted' };

describe('findRequests', () => {
  it.each<[row: Pick<StatementRow, 'kind' | 'name' | 'team_id'>, label: string | null, found: object | null]>(
    [
      [{ kind: 'value', name: 'Platform', team_id: 7 }, null, { ...place, team: 7 }],
      [
        { kind: 'value', name: '4711', team_id: null },
        'cost_center',
        { ...place, label: 'cost_center=4711' },
      ],
      [{ kind: 'value', name: '', team_id: null }, 'cost_center', { ...place, label: 'cost_center=' }],
      [{ kind: 'none', name: '', team_id: null }, null, null],
      [{ kind: 'none', name: '', team_id: null }, 'cost_center', null],
      [{ kind: 'other', name: '', team_id: null }, 'cost_center', null],
    ],
  )('findRequests of the row %j by label %j returns %j, without rejected requests', (row, label, found) => {
    expect(findRequests({ ...amounts, ...row }, { ...days, label })).toEqual(found);
  });
});

describe('compareWithLedger', () => {
  it.each([
    [true, false, 'ok'],
    [true, true, 'ok'],
    [false, false, 'bad'],
    [false, true, 'off'],
  ])(
    'compareWithLedger with a match %s and deleted usage %s has the mark %s',
    (matches_ledger, is_reduced, kind) => {
      expect(compareWithLedger({ matches_ledger, is_reduced }).kind).toBe(kind);
    },
  );
});
