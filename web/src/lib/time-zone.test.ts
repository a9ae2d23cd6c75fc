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

it('formatFullTime uses the time zone of the user and its name', () => {
  setTimeZone('Pacific/Auckland');
  expect(formatFullTime('2026-11-20T10:00:00Z')).toBe('Nov 20, 2026, 11:00:00 PM GMT+13');
  expect(formatFullTime('2026-11-20T10:00:00Z', 'UTC')).toBe('Nov 20, 2026, 10:00:00 AM UTC');
});

it('nameCsvFile contains the day in the time zone of the user', () => {
  setTimeZone('Pacific/Auckland');
  expect(nameCsvFile('teams', new Date('2026-11-20T11:00:00Z'))).toBe('sluice-teams-2026-11-21.csv');
});

it("setTimeZone falls back to the browser's time zone if the time zone is unknown", () => {
  setTimeZone('Pacific/Auckland');
  setTimeZone('Mars/Olympus_Mons');
  expect(readTimeZone()).toBeNull();
  expect(formatFullTime('2026-11-20T10:00:00Z')).toContain('2026');
});
