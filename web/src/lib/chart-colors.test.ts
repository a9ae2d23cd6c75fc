import { describe, expect, it } from 'vitest';
import { assignEntityColors, chartColors } from './chart-colors.ts';

function makeStorage(stored: string | null = null) {
  return {
    getItem: () => stored,
    setItem: (_: string, value: string) => {
      stored = value;
    },
  };
}

const numbersTo = (count: number) => Array.from({ length: count }, (_, index) => index + 1);
const colorsIn = (storage: ReturnType<typeof makeStorage>, ids: readonly number[]) =>
  ids.map(assignEntityColors(storage)('user', ids));

describe('assignEntityColors', () => {
  it('assignEntityColors keeps the color of each of 40 users across charts, filters, orders and reloads', () => {
    const storage = makeStorage();
    const ids = numbersTo(40);
    const first = new Map<number, string>();
    for (const step of [1, 3, 7, 11, 13]) {
      for (const start of ids) {
        const shown = numbersTo(5).map((place) => ((start + place * step) % ids.length) + 1);
        const colors = colorsIn(storage, shown);
        shown.forEach((id, place) => {
          const color = colors[place] ?? '';
          expect(first.get(id) ?? color, `user ${id}`).toBe(color);
          first.set(id, color);
        });
        expect(new Set(colors).size).toBe(shown.length);
      }
    }
    expect(new Set(first.values()).size).toBe(ids.length);
  });

  it('assignEntityColors uses the palette for the first eight entities', () => {
    expect(colorsIn(makeStorage(), numbersTo(8))).toEqual(chartColors);
  });

  it('assignEntityColors assigns different colors to a user, a team and a reason with the same id', () => {
    const colorsOf = assignEntityColors(makeStorage());
    const colors = (['user', 'team', 'reason'] as const).map((kind) => colorsOf(kind, [7])(7));
    expect(new Set(colors).size).toBe(3);
  });

  it('assignEntityColors never repeats a color and stores a limited number of entities', () => {
    const storage = makeStorage();
    expect(new Set(colorsIn(storage, numbersTo(500))).size).toBe(500);
    const later = [1, 2, 3, 501, 502];
    const colors = colorsIn(storage, later);
    expect(new Set(colors).size).toBe(later.length);
    expect(colors.slice(0, 3)).toEqual(chartColors.slice(0, 3));
    expect(JSON.parse(storage.getItem() ?? '')).toHaveLength(500);
  });

  it.each(['', '{', '{"a":1}', '[null, 4]'])(
    'assignEntityColors ignores invalid stored colors: %s',
    (stored) => {
      expect(new Set(colorsIn(makeStorage(stored), [1, 2, 3])).size).toBe(3);
    },
  );
});
