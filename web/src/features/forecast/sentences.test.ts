import { expect, it } from 'vitest';
import { describeForecast, describeMethod, describeRange } from './notice.tsx';

const today = '2026-11-16';
const forecast = {
  used: 20_000,
  limit: 30_000,
  reaches_on: '2026-11-19',
  earliest: '2026-11-18',
  latest: '2026-11-21',
  last_day: '2026-11-30',
  used_by_end: 36_000,
  error: 0.183,
  learned_days: 28,
};

it('describeForecast names the weekday within a week, and adds the date after a week', () => {
  const said = (reaches_on: string) => describeForecast({ ...forecast, reaches_on }, today);
  expect(said('2026-11-19')).toBe('At this pace you reach your monthly quota on Thursday.');
  expect(said('2026-11-16')).toBe('At this pace you reach your monthly quota today.');
  expect(said('2026-11-17')).toBe('At this pace you reach your monthly quota tomorrow.');
  expect(said('2026-11-23')).toBe('At this pace you reach your monthly quota on Monday, Nov 23.');
});

it('describeForecast states the expected usage if the quota lasts', () => {
  const lasting = { ...forecast, reaches_on: null, latest: null, used_by_end: 18_600 };
  expect(describeForecast(lasting, today)).toBe(
    'At this pace your monthly quota lasts: about 62% of it is used by Nov 30.',
  );
  expect(describeRange({ ...lasting, earliest: null }, today)).toBeUndefined();
  expect(describeRange({ ...lasting, earliest: '2026-11-28' }, today)).toBe(
    'On busy days you would reach it on Saturday, Nov 28.',
  );
});

it('describeRange returns the range unless the range is a single day', () => {
  expect(describeRange(forecast, today)).toBe('At the earliest on Wednesday, at the latest on Saturday.');
  expect(describeRange({ ...forecast, latest: null }, today)).toBe(
    'At the earliest on Wednesday; on quiet days it lasts until the month ends.',
  );
  expect(describeRange({ ...forecast, earliest: '2026-11-19', latest: '2026-11-19' }, today)).toBeUndefined();
});

it('describeMethod states the accuracy of earlier forecasts', () => {
  expect(describeMethod(forecast)).toContain('in four of five cases, they were off by 18% at most');
  expect(describeMethod({ ...forecast, error: 0 })).toContain('in four of five cases, they were exact');
});
