import { logsRoutes } from '@sluice/contract';
import { describe, expect, it } from 'vitest';
import { hasLogFilters, logsSearch, noLogFilters, toLogsQuery } from './search.ts';

describe('the address of the request log', () => {
  it('drops filters that make no sense', () => {
    const senseless = { user: 'ann', model: {}, status: 'great', start: 'yesterday', end: 3 };
    expect(hasLogFilters(logsSearch.parse(senseless))).toBe(false);
  });

  it('asks the server for what its contract takes', () => {
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
      search: '42',
      skip: 200,
      limit: 100,
    });
    expect(logsRoutes.listLogs.request.query.parse(query)).toEqual(query);
  });

  it('filters by date only when both dates are given', () => {
    expect(toLogsQuery(logsSearch.parse({ start: '2026-11-19' }))).not.toHaveProperty('start_date');
    expect(toLogsQuery(logsSearch.parse({ end: '2026-11-19' }))).not.toHaveProperty('end_date');
  });

  it('loads a page of 100 from the first request on unless told otherwise', () => {
    expect(toLogsQuery(logsSearch.parse({}))).toMatchObject({ skip: 0, limit: 100 });
  });

  it('has no filter left once they are cleared', () => {
    const search = logsSearch.parse({ user: 7, filter: 'x', sort: 'model' });
    expect(hasLogFilters(search)).toBe(true);
    expect(hasLogFilters({ ...search, ...noLogFilters })).toBe(false);
  });
});
