import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { allowanceKinds, createWindowFinder, findWindow } from './window.ts';

const runs = 2_000;
const at = (instant: string) => Date.parse(instant);
const describeWindow = (...parameters: Parameters<typeof findWindow>) => {
  const { startMs, endMs } = findWindow(...parameters);
  return [new Date(startMs).toISOString(), new Date(endMs).toISOString(), (endMs - startMs) / 3_600_000];
};

describe('findWindow', () => {
  it.each([
    ['requests_per_hour', '2026-11-20T13:59:59.999Z', 'Asia/Kolkata', '2026-11-20T13:00:00.000Z', 1],
    ['tokens_per_day', '2026-11-20T23:30:00Z', 'Europe/Berlin', '2026-11-20T23:00:00.000Z', 24],
    ['tokens_per_day', '2026-03-29T12:00:00Z', 'Europe/Berlin', '2026-03-28T23:00:00.000Z', 23],
    ['tokens_per_day', '2026-10-25T12:00:00Z', 'Europe/Berlin', '2026-10-24T22:00:00.000Z', 25],
    ['tokens_per_day', '2024-02-29T01:00:00Z', 'UTC', '2024-02-29T00:00:00.000Z', 24],
    // Clocks are set forward at midnight, so the day starts at 1:00.
    ['tokens_per_day', '2024-03-31T12:00:00Z', 'Asia/Beirut', '2024-03-30T22:00:00.000Z', 23],
    // The day that Samoa skipped when it crossed the date line.
    ['tokens_per_day', '2011-12-30T09:59:59Z', 'Pacific/Apia', '2011-12-29T10:00:00.000Z', 24],
    ['tokens_per_month', '2026-03-15T12:00:00Z', 'Europe/Berlin', '2026-02-28T23:00:00.000Z', 743],
    ['tokens_per_month', '2024-02-10T00:00:00Z', 'UTC', '2024-02-01T00:00:00.000Z', 696],
    ['tokens_per_month', '2026-12-31T15:00:00Z', 'Asia/Tokyo', '2026-12-31T15:00:00.000Z', 744],
  ] as const)(
    'findWindow for %s at %s in %s starts at %s and has %i hours',
    (kind, instant, zone, start, hours) => {
      const [from, , length] = describeWindow(kind, at(instant), zone);
      expect([from, length]).toEqual([start, hours]);
    },
  );

  it.each(['task_tokens', 'credits'] as const)('findWindow for %s has neither start nor end', (kind) => {
    expect(findWindow(kind, at('2026-11-20T13:00:00Z'), 'UTC')).toEqual({
      startMs: Number.NEGATIVE_INFINITY,
      endMs: Number.POSITIVE_INFINITY,
    });
  });

  const instants = fc.date({ min: new Date('2000-01-01'), max: new Date('2040-01-01'), noInvalidDate: true });
  const zones = fc.constantFrom(...Intl.supportedValuesOf('timeZone'));
  const kinds = fc.constantFrom(...allowanceKinds);

  it('findWindow returns adjacent windows, each the same for every instant in it', () => {
    const find = createWindowFinder();
    fc.assert(
      fc.property(
        kinds,
        instants,
        zones,
        fc.double({ min: 0, max: 1, noNaN: true }),
        (kind, date, zone, part) => {
          const window = findWindow(kind, date.getTime(), zone);
          expect(find(kind, date.getTime(), zone)).toEqual(window);
          expect(window.startMs).toBeLessThanOrEqual(date.getTime());
          expect(window.endMs).toBeGreaterThan(date.getTime());
          if (!Number.isFinite(window.endMs)) return;
          const other = Math.floor(window.startMs + part * (window.endMs - window.startMs - 1));
          expect(findWindow(kind, other, zone)).toEqual(window);
          expect(findWindow(kind, window.endMs, zone).startMs).toBe(window.endMs);
        },
      ),
      { numRuns: runs },
    );
  });
});
