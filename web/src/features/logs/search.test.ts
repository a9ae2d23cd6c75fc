import { logsRoutes } from '@sluice/contract';
import { describe, expect, it } from 'vitest';
import { toLogsQuery } from './queries.ts';
import { hasLogFilters, logsSearch, noLogFilters } from './search.ts';

describe('search parameters of the request log', () => {
  it('logsSearch drops invalid filters', () => {
    const senseless = { user: 'ann', model: {}, status: 'great', start: 'yesterday', end: 3 };
    expect(hasLogFilters(logsSearch.parse(senseless))).toBe(false);
  });

  it('toLogsQuery returns parameters that the contract accepts', () => {
    const search = logsSearch.parse({
      user: 7,
      model: 'gpt-5',
      status: 'error',
      start: '2026-11-19',
      end: '2026-11-20',
      filter: 42,
      page: 3,
      open: 'x',
    });
    const query = toLogsQuery(search);
    expect(query).toEqual({
      user_id: 7,
      model: 'gpt-5',
      status: 'error',
      start_date: '2026-11-19',
      end_date: '2026-11-20',
      query: '42',
      skip: 200,
      limit: 100,
    });
    expect(logsRoutes.listLogs.request.query.parse(query)).toEqual(query);
  });

  it('toLogsQuery filters by date only if both dates are set', () => {
    expect(toLogsQuery(logsSearch.parse({ start: '2026-11-19' }))).not.toHaveProperty('start_date');
    expect(toLogsQuery(logsSearch.parse({ end: '2026-11-19' }))).not.toHaveProperty('end_date');
  });

  it('toLogsQuery omits a reversed date range', () => {
    const search = logsSearch.parse({ start: '2026-11-20', end: '2026-11-19' });
    expect(toLogsQuery(search)).not.toHaveProperty('start_date');
  });

  it('toLogsQuery sends a query line only if it is valid and does not repeat a filter', () => {
    const line = 'status:error model:gpt* cost>0.01 out of memory';
    expect(toLogsQuery(logsSearch.parse({ filter: line }))).toMatchObject({ query: line });
    const bad = logsSearch.parse({ filter: 'stauts:error' });
    expect(toLogsQuery(bad)).not.toHaveProperty('query');
    const twice = logsSearch.parse({ filter: 'model:gpt*', model: 'gpt-5' });
    expect(toLogsQuery(twice)).not.toHaveProperty('query');
  });

  it('toLogsQuery includes the filters that links from other pages set', () => {
    const search = logsSearch.parse({
      intent: 'coding',
      provider: 'openai',
      team: 3,
      task: 4,
      reason: 'x',
      key: true,
    });
    const query = toLogsQuery(search);
    expect(query).toMatchObject({
      intent_classification: 'coding',
      provider_key: 'openai',
      team_id: [3],
      task_id: 4,
      error_code: 'x',
      by_api_key: 'true',
    });
    expect(logsRoutes.listLogs.request.query.safeParse(query).success).toBe(true);
  });

  it('toLogsQuery requests the first 100 rows by default', () => {
    expect(toLogsQuery(logsSearch.parse({}))).toMatchObject({ skip: 0, limit: 100 });
  });

  it('noLogFilters leaves no filter set', () => {
    const search = logsSearch.parse({ user: 7, filter: 'x', sort: 'model' });
    expect(hasLogFilters(search)).toBe(true);
    expect(hasLogFilters({ ...search, ...noLogFilters })).toBe(false);
  });
});
