import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type LogQuery, logQueryFields, logStatuses } from './log-query.ts';
import { formatLogQuery, parseLogQuery } from './parse-log-query.ts';

describe('parseLogQuery', () => {
  it('parseLogQuery reads filters and search words', () => {
    expect(parseLogQuery('status:error  model:gpt* user:ann cost>0.01 out of "disk  space"')).toEqual({
      filters: {
        status: 'error',
        model: 'gpt*',
        user: 'ann',
        cost_above: 0.01,
        search: 'out of disk  space',
      },
      problems: [],
      places: [],
    });
    expect(parseLogQuery('task:"The \\"big\\" one" time<250')).toEqual({
      filters: { task: 'The "big" one', response_time_below_ms: 250 },
      problems: [],
      places: [],
    });
    expect(parseLogQuery('  ')).toEqual({ filters: {}, problems: [], places: [] });
    expect(parseLogQuery('tokens>1,012 cost<2,500.5 model:1,012')).toEqual({
      filters: { tokens_above: 1_012, cost_below: 2_500.5, model: '1,012' },
      problems: [],
      places: [],
    });
  });

  it.each([
    ['stauts:error', '"stauts:" is not a field. Fields are: status: '],
    ['status:broken', '"broken" is not a valid value for status; it must be one of success, error'],
    ['cost>2,50', '"2,50" is not a valid value for cost; it must be a number of at least 0.'],
    ['cost>much', '"much" is not a valid value for cost; it must be a number of at least 0.'],
    ['model:a model:b', '"model:" appears twice.'],
    ['user:', '"user:" has no value.'],
    ['tokens>=1000', '"tokens>=" is not supported. Use "tokens>" instead.'],
    [
      'since:monday',
      '"monday" is not a valid value for since; it must be a duration such as 1h or 7d, today',
    ],
    ['until:2026-13-01', '"2026-13-01" is not a valid value for until'],
    ['"open', 'A quote is not closed.'],
    ['-status:success', '"-status:success" excludes rows, which is not supported.'],
    ['x'.repeat(201), 'The search text can have at most 200 characters.'],
  ])('parseLogQuery reports a problem with %s', (line, problem) => {
    expect(parseLogQuery(line).problems).toEqual([expect.stringContaining(problem)]);
  });

  it.each(['1h', '30m', '7d', 'today', 'yesterday', 'month', '2026-11-20', '2026-11-20T10:00Z'])(
    'parseLogQuery accepts %s as the only bound of a range',
    (moment) => {
      expect(parseLogQuery(`since:${moment}`)).toMatchObject({ filters: { since: moment }, problems: [] });
      expect(parseLogQuery(`until:${moment}`)).toMatchObject({ filters: { until: moment }, problems: [] });
    },
  );

  it.each([
    ['model:a stauts:error x', 'stauts:error'],
    ['cost>much status:error', 'cost>much'],
    ['timeout "open quote', '"open quote'],
  ])('parseLogQuery reports the position of the problem in %s', (line, wrong) => {
    const [place] = parseLogQuery(line).places;
    expect(line.slice(place?.start, place?.end)).toBe(wrong);
  });

  it('parseLogQuery searches for quoted text that looks like a filter', () => {
    expect(parseLogQuery('"https://a.test"').filters).toEqual({ search: 'https://a.test' });
  });

  it('parseLogQuery accepts any text, and reads two texts of 100,000 characters within 200 ms', () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 500 }), (line) => {
        parseLogQuery(line);
      }),
    );
    const beganAtMs = performance.now();
    parseLogQuery(`"${'\\'.repeat(100_000)}`);
    parseLogQuery('a'.repeat(100_000));
    expect(performance.now() - beganAtMs).toBeLessThan(200);
  });
});

const text = fc.string({ minLength: 1, maxLength: 40, unit: 'grapheme' });
/** Amounts are whole nano-dollars, the smallest unit of money. */
const amount = fc.integer({ min: 0, max: 10 ** 15 }).map((nanoUsd) => nanoUsd / 10 ** 9);
const arbitraryOf = (name: string) => {
  if (name === 'since' || name === 'until')
    return fc.constantFrom('1h', '7d', 'today', 'month', '2026-11-20');
  if (name === 'status') return fc.constantFrom(...logStatuses);
  if (name === 'label') return text.map((value) => `project=${value}`);
  return /_(above|below)/.test(name) ? amount : text;
};
const queries = fc.record(
  Object.fromEntries([...logQueryFields.values(), 'search'].map((name) => [name, arbitraryOf(name)])),
  { requiredKeys: [] },
);

it('parseLogQuery reads what formatLogQuery writes', () => {
  fc.assert(
    fc.property(queries, (filters) => {
      expect(parseLogQuery(formatLogQuery(filters as LogQuery))).toEqual({
        filters,
        problems: [],
        places: [],
      });
    }),
  );
});
