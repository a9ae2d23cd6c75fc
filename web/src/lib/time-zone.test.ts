import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { nameCsvFile } from './download-file.ts';
import { formatFullTime } from './format-time.ts';
import { readTimeZone, setTimeZone } from './time-zone.ts';

beforeEach(() => {
  const kept = new Map<string, string>();
  vi.stubGlobal('localStorage', {
    setItem: (name: string, value: string) => kept.set(name, value),
    removeItem: (name: string) => kept.delete(name),
  });
});
afterEach(() => {
  setTimeZone(null);
  vi.unstubAllGlobals();
});

it('times are shown in the chosen zone, with its name', () => {
  setTimeZone('Pacific/Auckland');
  expect(formatFullTime('2026-11-20T10:00:00Z')).toBe('Nov 20, 2026, 11:00:00 PM GMT+13');
  expect(formatFullTime('2026-11-20T10:00:00Z', 'UTC')).toBe('Nov 20, 2026, 10:00:00 AM UTC');
});

it('the day in the name of a CSV file is that of the chosen zone', () => {
  setTimeZone('Pacific/Auckland');
  expect(nameCsvFile('teams', new Date('2026-11-20T11:00:00Z'))).toBe('sluice-teams-2026-11-21.csv');
});

it('an unknown zone falls back to the one of the browser', () => {
  setTimeZone('Pacific/Auckland');
  setTimeZone('Mars/Olympus_Mons');
  expect(readTimeZone()).toBeNull();
  expect(formatFullTime('2026-11-20T10:00:00Z')).toContain('2026');
});
