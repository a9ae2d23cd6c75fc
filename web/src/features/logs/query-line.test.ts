import { logQueryFields } from '@sluice/contract';
import { describe, expect, it } from 'vitest';
import {
  findFilterProblem,
  findLineProblem,
  readTimeRange,
  settleFilters,
  timePresets,
  withoutFields,
  withTimeRange,
} from './query-line.ts';
import { type LogsSearch, logsSearch, noLogFilters } from './search.ts';

const samples: Readonly<Record<string, Partial<LogsSearch>>> = {
  user: { user: 7 },
  team: { team: 7 },
  task: { task: 7 },
  model: { model: 'gpt-5' },
  status: { status: 'error' },
  intent: { intent: 'coding' },
  provider: { provider: 'openai' },
  code: { reason: 'policy_blocked' },
  key: { apiKey: 7 },
  label: { label: 'project=x' },
  since: { start: '2026-11-20' },
  until: { end: '2026-11-20' },
};
/** Prefixes of fields with text values. Other fields compare numbers, for which the page has no filter. */
const signs = [...logQueryFields.keys()].filter((sign) => sign.endsWith(':'));
const wordFor = (sign: string) => ({ 'status:': 'success', 'since:': '1h', 'until:': '1h' })[sign] ?? 'x';

describe('the query line and the other filters', () => {
  it.each(signs)(
    'setting a filter removes %s from the query line, and typing the field removes the filter',
    (sign) => {
      const chosen = samples[sign.slice(0, -1)] ?? {};
      expect(Object.keys(chosen)).toHaveLength(1);
      const line = `${sign}${wordFor(sign)} cost>1 timeout`;
      expect(settleFilters(logsSearch.parse({ filter: line }), chosen)).toEqual({
        ...chosen,
        filter: 'cost>1 timeout',
      });
      const typed = settleFilters(logsSearch.parse(chosen), { filter: line });
      expect(Object.entries(typed)).toContainEqual([Object.keys(chosen)[0], undefined]);
    },
  );

  it('settleFilters keeps unrelated filters', () => {
    const search = logsSearch.parse({ filter: 'user:ann', status: 'error' });
    expect(settleFilters(search, { model: 'gpt-5' })).toEqual({ model: 'gpt-5' });
    expect(settleFilters(search, { filter: 'user:ben' })).toEqual({ filter: 'user:ben' });
    expect(settleFilters(search, noLogFilters)).toEqual(noLogFilters);
  });

  it('withoutFields keeps the other terms of the query line', () => {
    const search = logsSearch.parse({ filter: 'user:ann cost>1 "disk space"' });
    expect(withoutFields(search, ['user'])).toEqual({ filter: 'cost>1 disk space' });
    expect(withoutFields(search, ['search'])).toEqual({ filter: 'user:ann cost>1' });
  });

  it('findLineProblem returns the reason and the position of an invalid field', () => {
    const filter = 'model:a stauts:error';
    const problem = findLineProblem(logsSearch.parse({ filter }));
    expect(problem?.message).toContain('"stauts:" is not a field');
    expect(filter.slice(problem?.place?.start, problem?.place?.end)).toBe('stauts:error');
    expect(findLineProblem(logsSearch.parse({ filter: 'model:gpt*', model: 'gpt-5' }))?.message).toContain(
      'A model is already set as a filter',
    );
  });
});

describe('time ranges of the query line', () => {
  it.each(timePresets)(
    'withTimeRange replaces any other range with the preset $label, which readTimeRange recognizes',
    ({ value, range }) => {
      const search = logsSearch.parse({ filter: 'since:2026-01-01 status:error', start: '2026-01-01' });
      const changed = logsSearch.parse({ ...search, ...withTimeRange(search, range) });
      expect(changed).toMatchObject({ start: undefined, end: undefined });
      expect(readTimeRange(changed)).toBe(value);
      expect(findLineProblem(changed)).toBeNull();
      expect(withTimeRange(changed, {})).toMatchObject({ filter: 'status:error' });
    },
  );

  it('readTimeRange returns other ranges as text', () => {
    expect(readTimeRange(logsSearch.parse({ filter: 'since:2026-01-01' }))).toBe('since 2026-01-01');
    expect(readTimeRange(logsSearch.parse({ filter: 'until:2d' }))).toBe('until 2d');
    expect(readTimeRange(logsSearch.parse({}))).toBeUndefined();
  });
});

describe('findFilterProblem', () => {
  it.each([
    [{ start: '2026-11-20', end: '2026-11-19' }, 'The end date must not be before the start date.'],
    [{ start: '2026-11-19', end: '2026-11-19' }, null],
    [{ start: '2026-11-19' }, null],
    [{ filter: 'stauts:error' }, 'Invalid query. Correct it above to see requests.'],
  ])('findFilterProblem of %j returns %s', (search, problem) => {
    expect(findFilterProblem(logsSearch.parse(search))).toBe(problem);
  });
});
